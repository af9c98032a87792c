"""Experiments that run at the same time, each in a process of its own on cores of its own, so that none takes time from another."""
import os
import signal
import sys
import time

from .child import LIBC, PR_SET_PDEATHSIG

SECONDS_BETWEEN_LOOKS = 0.05


def run_side_by_side(experiments, jobs, run, stop):
    """`run(experiment)`, an exit code, `jobs` at a time, the longest way first, each behind those that it needs; those that measure time have the
    machine for themselves when all others are done. When `stop()` says so, those at work are told to end and no other begins."""
    unfinished = {experiment.name for experiment in experiments}
    waiting = sorted(experiments, key=lambda experiment: -minutes_from(experiment, experiments))
    running, places, told = {}, {}, False
    while running or (waiting and not stop()):
        beginning = [] if stop() else startable(waiting, running, unfinished, jobs)
        shares = 1 if len(running) + len(beginning) == 1 else jobs
        for experiment in beginning:
            place = min(set(range(jobs)) - set(places.values()))
            process = start(experiment, run, cores_of(place, shares))
            running[process], places[process] = experiment, place
            waiting.remove(experiment)
        if len(running) == 1:  # whatever waits needs it, so that nothing begins before it ends
            widen(*running)
        if stop() and not told:
            told = True
            for process in running:
                os.kill(process, signal.SIGTERM)
        for process in list(running):
            if os.waitpid(process, os.WNOHANG)[0]:
                unfinished.remove(running.pop(process).name)
                del places[process]
        time.sleep(SECONDS_BETWEEN_LOOKS)


def minutes_from(experiment, experiments):
    """Of the longest way that begins with it: itself, one that needs it, one that needs that."""
    users = [other for other in experiments if experiment.name in other.needs]
    return experiment.minutes + max((minutes_from(user, experiments) for user in users), default=0)


def startable(waiting, running, unfinished, jobs):
    if any(experiment.alone for experiment in running.values()):
        return []
    ready = [experiment for experiment in waiting if not unfinished & set(experiment.needs)]
    together = [experiment for experiment in ready if not experiment.alone]
    if together or running:
        return together[:jobs - len(running)]
    return ready[:1]


def cores_of(place, places):
    """The cores of one of so many places; some have the same where there are more places than cores."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[place::places] or [cores[place % len(cores)]]


def widen(process):
    """All cores for the commands that it starts from now on."""
    try:
        os.sched_setaffinity(process, os.sched_getaffinity(0))
    except ProcessLookupError:
        pass  # it has just ended


def start(experiment, run, cores):
    """The process that runs it and its commands on these cores; it ends with this one."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process != 0:
        return process
    code = 1
    try:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.sched_setaffinity(0, cores)
        code = run(experiment)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)
