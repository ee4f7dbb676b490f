"""The browser of this machine, and how to start it where nobody looks."""

from __future__ import annotations

import shutil

PROGRAM = "chromium-headless-shell"
"""The browser without a window, also the name of Debian's package: a third of the work of the whole one."""
INSTALL = f"apt-get install {PROGRAM}"
_NAMES = (PROGRAM, "chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
    # Nothing but this machine can be reached, whatever a page tries.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)  # fmt: skip


def find_chromium() -> str | None:
    return next(filter(None, map(shutil.which, _NAMES)), None)
