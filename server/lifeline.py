"""No process outlives the one that started it, not even when that one is killed outright.

An orphaned worker would hold the port and answer 500, an orphaned store would hold the data folder.
Linux sends a signal at the parent's death; elsewhere a worker looks after its parent itself.
"""

import ctypes
import os
import signal
import sys
import threading
import time

PR_SET_PDEATHSIG = 1  # from <sys/prctl.h>
LOOK_SECONDS = 1  # on macOS: how long an orphaned worker may hold the port

# Loaded here, not in the child: between fork and exec little is safe to do.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(signum: int = signal.SIGTERM) -> None:
    """Have the kernel send this process `signum` when its parent dies; does nothing but on Linux.

    For `preexec_fn`. The parent has to start it from its main thread: the kernel watches the thread.
    """
    if _libc is not None:
        _libc.prctl(PR_SET_PDEATHSIG, signum)


def die_with_launcher(launcher: int) -> None:
    """Tie a running worker to the launcher with that process id."""
    die_with_parent(signal.SIGKILL)
    if os.getppid() != launcher:  # it died before we asked
        os._exit(1)
    if _libc is None:
        threading.Thread(target=_look_after, args=(launcher,), daemon=True).start()


def _look_after(launcher: int) -> None:
    while os.getppid() == launcher:
        time.sleep(LOOK_SECONDS)
    os._exit(1)
