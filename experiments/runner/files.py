"""Files that are written whole or not at all, and pages of which a part between two marks is written."""
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


def text_between(page, begin, end):
    """What stands between two marks of a page; empty without the first."""
    return page.partition(begin)[2].partition(end)[0]


def replaced_between(page, begin, end, text):
    """The page with a text between its two marks; a page without them is returned as it is."""
    first = page.find(begin)
    last = page.find(end, first) if first >= 0 else -1
    return page if last < 0 else f"{page[:first]}{begin}\n{text}{page[last:]}"
