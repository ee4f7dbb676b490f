"""`python -m deepoj_packages.statements.worker SECONDS`: a statement a line, to HTML.

A text may be made to cost: this process has limits, no network and no secrets, and may die. What it has no
answer for is shown as its source by whoever started it.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import sys
from collections.abc import Callable, Mapping
from html import unescape
from typing import Final

import msgspec

from deepoj_packages.statements.formulas import SOURCE_BEGIN
from deepoj_packages.statements.job import Job, Made
from deepoj_packages.statements.markdown import markdown_html
from deepoj_packages.statements.sanitise import OversizeError, lost_images, sanitised, without_marks
from deepoj_packages.statements.tex import PandocError, tex_html

_NAMED, _SHOWN = 10, 200
_FORMULA: Final = re.compile(f"{SOURCE_BEGIN}([^<]*)</code>")
_MEMORY: Final = 512 * 1024**2
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_FORMATS: Final[Mapping[str, Callable[[str], str]]] = {"markdown": markdown_html, "tex": tex_html}


def main(cpu_seconds: int) -> None:
    _leave_network()
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, resource.RLIM_INFINITY))
    for line in sys.stdin.buffer:
        _limit_time(cpu_seconds)
        made = _made(msgspec.json.decode(line, type=Job))
        sys.stdout.buffer.write(msgspec.json.encode(made) + b"\n")
        sys.stdout.buffer.flush()


def _made(job: Job) -> Made:
    try:
        html = _FORMATS[job.format](without_marks(job.text))
        kept = sanitised(html, job.assets)
        formulas = [unescape(each)[:_SHOWN] for each in _FORMULA.findall(html)]
        return Made(kept, lost_images(html, job.assets)[:_NAMED], formulas[:_NAMED])
    except (OversizeError, PandocError, RecursionError, MemoryError):
        return Made(None)


def _limit_time(cpu_seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = round(used.ru_utime + used.ru_stime) + cpu_seconds
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))


def _leave_network() -> None:
    """Where the kernel allows it; what runs here has no reason to call anybody in any case."""
    libc = ctypes.CDLL(None)
    libc.unshare(_CLONE_NEWNET if os.geteuid() == 0 else _CLONE_NEWUSER | _CLONE_NEWNET)


if __name__ == "__main__":
    main(int(sys.argv[1]))
