"""The Chromium that benches and tests look through."""

from __future__ import annotations

import os
import shutil
from typing import Any

QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--font-render-hinting=none",  # else a browser without windows makes letters wider than one with them
)


def find_chromium() -> str | None:
    """A browser of the system; None means Playwright's own. Ubuntu's package is a stub for its app store.

    The one without windows first: a new page costs it less than half of what it costs the others.
    """
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if (path := shutil.which(name)) and "/snap/" not in os.path.realpath(path):
            return path
    return None


def launch_options() -> dict[str, Any]:
    """How Playwright starts it: the system's own, and without calls home."""
    # chromium refuses its sandbox as root
    arguments = [*QUIET, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    own = {"executable_path": path} if (path := find_chromium()) else {}
    return {**own, "args": arguments}
