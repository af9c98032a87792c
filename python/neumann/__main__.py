"""python -m neumann: the command."""

from ._perception import run_command

run_command()
