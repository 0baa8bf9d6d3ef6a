"""A command → one JSON line: seconds, seconds of CPU, peak memory in bytes, exit status, whether the time limit ended it.

    measure.py LIMIT LOG COMMAND…        LIMIT in seconds; what the command prints goes to LOG

Peak memory is the larger of two: the greatest sum of proportional set sizes (memory shared by processes counts once) of all
processes of the command, looked at up to ten times a second; and the peak resident size of its largest process, from the kernel,
which no sample can miss.
"""
import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

PR_SET_CHILD_SUBREAPER = 36  # of Linux
ORPHAN_SECONDS = 5  # what a tool's processes have to end after it
SHORTEST_PAUSE = 0.1  # seconds between two samples


def main(limit, log, command):
    if sys.platform == "linux":
        # Processes that outlive their parents come to us; without that their CPU time would not be counted.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # A launcher of Python that became this process may have had children of its own.
    before = cpu_seconds()
    with open(log, "wb") as output:
        start = time.perf_counter()
        # A session of its own, so that all its processes can be found, and ended.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
        sampler = Sampler(process.pid)
        sampler.start()
        limit_hit = threading.Event()
        timer = threading.Timer(min(limit, threading.TIMEOUT_MAX), end_session, [process.pid, limit_hit])
        timer.start()
        _, status = os.waitpid(process.pid, 0)
        seconds = time.perf_counter() - start
    timer.cancel()
    sampler.done.set()
    sampler.join()
    wait_for_orphans(process.pid)
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    result = {
        "seconds": seconds,
        "cpuSeconds": cpu_seconds() - before,
        "peakBytes": max(largest, sampler.peak),
        "status": os.waitstatus_to_exitcode(status),
        "timedOut": limit_hit.is_set(),
    }
    print(json.dumps(result))


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Sampler(threading.Thread):
    def __init__(self, session):
        super().__init__(daemon=True)
        self.session = session
        self.peak = 0
        self.done = threading.Event()

    def run(self):
        pause = SHORTEST_PAUSE
        while not self.done.wait(pause):
            start = time.perf_counter()
            self.peak = max(self.peak, sum(map(proportional_bytes, processes_of(self.session))))
            # The kernel walks all pages for this: of a large process it is asked less often, so as not to slow it down.
            pause = max(SHORTEST_PAUSE, 30 * (time.perf_counter() - start))


def processes_of(session):
    """The processes of a session, from /proc; none where there is no /proc."""
    names = os.listdir("/proc") if os.path.isdir("/proc") else []
    for name in filter(str.isdigit, names):
        try:
            with open(f"/proc/{name}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(fields[3]) == session:
            yield name


def proportional_bytes(process):
    try:
        with open(f"/proc/{process}/smaps_rollup") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def wait_for_orphans(session):
    deadline = time.perf_counter() + ORPHAN_SECONDS
    while True:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if ended == 0:
            time.sleep(0.01)
            if time.perf_counter() > deadline:
                os.killpg(session, signal.SIGKILL)


def end_session(session, limit_hit):
    limit_hit.set()
    os.killpg(session, signal.SIGKILL)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2], sys.argv[3:])
