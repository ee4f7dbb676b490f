"""TeX, by pandoc: a process that reads no file but its input, in a directory of its own."""

from __future__ import annotations

import re
import resource
import subprocess
import tempfile
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from deepoj_packages.statements.formulas import formula
from deepoj_packages.statements.macros import Macros

_MOST_OUTPUT: Final = 8 * 1024 * 1024
_OPTIONS: Final = (
    "+RTS", "-M256M", "-RTS", "--sandbox", "--from=latex", "--to=html5", "--mathml", "--wrap=preserve",
    "--syntax-highlighting=none", "--shift-heading-level-by=1", "--quiet",
)  # fmt: skip
# Commands of problem packages that no TeX document defines itself.
_PRELUDE: Final = r"""
\newcommand{\problemname}[1]{}
\newcommand{\illustration}[3]{\begin{figure}\includegraphics{#2}\caption{#3}\end{figure}}
\newcommand{\nextsample}{}
\newcommand{\remainingsamples}{}
"""
# What pandoc cannot turn into MathML it leaves as TeX.
_LEFT: Final = re.compile(r'<span class="math (inline|display)">\${1,2}([^<]*?)\${1,2}</span>')


class PandocError(Exception):
    """It gave up, or was stopped by a limit."""


def tex_html(text: str) -> str:
    macros = Macros()

    def left(found: re.Match[str]) -> str:
        return formula(unescape(found[2]), macros, block=found[1] == "display")

    return _LEFT.sub(left, _pandoc(_PRELUDE + text))


def _pandoc(text: str) -> str:
    with tempfile.TemporaryDirectory(prefix="deepoj-statement-") as home:
        source, made = Path(home, "source"), Path(home, "made")
        source.write_text(text, encoding="utf-8")
        with source.open("rb") as given, made.open("wb") as taken:
            done = subprocess.run(
                [str(_program()), *_OPTIONS],
                stdin=given,
                stdout=taken,
                stderr=subprocess.DEVNULL,
                cwd=home,
                env={"HOME": home, "LANG": "C.UTF-8"},
                # We have one thread, and are the process that is killed when this takes too long.
                preexec_fn=_limit,
                check=False,
            )
        if done.returncode:
            raise PandocError(f"pandoc ended with {done.returncode}")
        return made.read_text(encoding="utf-8", errors="replace")


def _limit() -> None:
    # It reserves addresses by the terabyte; its own option bounds what it uses.
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_OUTPUT, _MOST_OUTPUT))


def _program() -> Path:
    """Find the program in its wheel without importing what else is there."""
    found = find_spec("pypandoc")
    if found is None or found.origin is None:
        raise PandocError("pandoc is not installed")
    return Path(found.origin).parent / "files" / "pandoc"
