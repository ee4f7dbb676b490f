"""The programs that are measured, compiled once into a temporary directory."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
_SOURCES = {
    "hello.c": '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n',
    "sum.cpp": """
#include <iostream>
int main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }
""",
    "work.c": """
int main(void) { volatile unsigned x = 1; for (int i = 0; i < 20000000; i++) x = x * 3 + 1; return 0; }
""",
    "spin.c": "int main(void) { for (;;) ; }\n",
}


@dataclass(frozen=True, slots=True)
class Programs:
    bare: Path
    hello: Path
    sum: Path
    work: Path
    spin: Path
    input: Path


def build(directory: Path) -> Programs:
    """A static C hello and a dynamic C++ a+b, as in the requirement, and two that burn CPU."""
    for name, text in _SOURCES.items():
        (directory / name).write_text(text)
    (directory / "input").write_text("20 22\n")
    _compile("gcc", _HERE / "bare.c", directory / "bare")
    for name in ("hello", "work", "spin"):
        _compile("gcc", directory / f"{name}.c", directory / name, "-static")
    _compile("g++", directory / "sum.cpp", directory / "sum")
    names = ("bare", "hello", "sum", "work", "spin", "input")
    return Programs(*(directory / name for name in names))


def _compile(compiler: str, source: Path, target: Path, *flags: str) -> None:
    subprocess.run([compiler, "-O2", str(source), "-o", str(target), *flags], check=True)
