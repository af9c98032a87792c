"""Programs of others that steps may be about, and that are not everywhere: such steps run only if they are asked for."""
import shutil

from .errors import UsageError

PARTNERS = {"problog": "pip install problog"}  # by the name of the command: how it is installed


def option_of(program):
    return f"--with-{program}"


def require_partners(asked):
    """Noticed before hours of work, not after. Raises UsageError."""
    for program in asked:
        if shutil.which(program) is None:
            raise UsageError(f"{option_of(program)}: there is no command {program} on the path; {PARTNERS[program]} installs it, "
                             f"and without {option_of(program)} its steps are left out")


def require_programs(experiments):
    """Those that steps run whoever asks. Raises UsageError."""
    for experiment in experiments:
        for program in experiment.programs:
            if shutil.which(program) is None:
                raise UsageError(f"{experiment.name} runs {program}, and there is no such command on the path; "
                                 "scripts/setup.sh experiments installs what experiments need")


def left_out(experiment, results):
    """The programs of steps of which nothing has run, by their names."""
    ran = {name for name, _ in results.steps}
    return list(dict.fromkeys(step.program for step in experiment.steps if step.program and step.name not in ran))
