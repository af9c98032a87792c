"""Files that are written whole or not at all."""
import os


def write_file(path, content):
    """Text or bytes; the old content stays until the new one is complete."""
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise
