"""The kind of machine a command ran on, for pages that tell measured times. Never whose or which."""
import os
import pathlib

from .formats import counted, format_bytes


def _value_in(file, key):
    """What stands behind "key :" in a file of /proc; empty without it."""
    try:
        for line in pathlib.Path(file).read_text(errors="replace").splitlines():
            name, colon, value = line.partition(":")
            if colon and name.startswith(key) and value.strip():
                return value.strip()
    except OSError:
        pass
    return ""


def describe_machine():
    """Processor, cores, memory_bytes, and gpu where there is one."""
    memory = _value_in("/proc/meminfo", "MemTotal").split()
    machine = {"processor": _value_in("/proc/cpuinfo", "model name") or "unknown processor",
               "cores": len(os.sched_getaffinity(0)), "memory_bytes": int(memory[0]) * 1024 if memory else 0}
    for gpu in sorted(pathlib.Path("/proc/driver/nvidia/gpus").glob("*/information")):
        machine["gpu"] = _value_in(gpu, "Model")
    return machine


def machine_text(machine):
    if not isinstance(machine, dict):
        return str(machine) if machine else "unknown"  # said by hand
    text = (f"{machine.get('processor', 'unknown processor')}, {counted(machine.get('cores', 1), 'core')}, "
            f"{format_bytes(machine.get('memory_bytes', 0))} of memory")
    return f"{text}, {machine['gpu']}" if machine.get("gpu") else text
