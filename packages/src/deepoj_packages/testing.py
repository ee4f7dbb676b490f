"""Small packages for tests, here and in the services that read them."""

from collections.abc import Mapping
from pathlib import Path

from deepoj_domain.kernel.digest import hash_of
from deepoj_packages.judge_data import ContentOf
from deepoj_packages.options import Dialect, ReadingOptions
from deepoj_packages.read_package import read_directory
from deepoj_packages.spec import ProblemSpec

Files = Mapping[str, str | bytes]

LEGACY: Files = {
    "problem.yaml": "name: Add\nlimits:\n  time_limit: 2\n",
    "problem_statement/problem.en.md": "Add two numbers.\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/1.in": "4 5\n",
    "data/secret/1.ans": "9\n",
    "input_validators/check.py": "import sys\nsys.exit(42)\n",
    "submissions/accepted/add.py": "print(sum(map(int, input().split())))\n",
}
MODERN: Files = {
    "problem.yaml": (
        "problem_format_version: 2025-09\nname: Add\nuuid: 5ca6ba5b-36d5-4eff-8aa7-d967cbc4375e\n"
        "limits:\n  time_limit: 2\n"
    ),
    "statement/problem.en.md": "Add two numbers.\n",
    "data/sample/1.in": "1 2\n",
    "data/sample/1.ans": "3\n",
    "data/secret/1.in": "4 5\n",
    "data/secret/1.ans": "9\n",
    "input_validators/check.py": "import sys\nsys.exit(42)\n",
    "submissions/accepted/add.py": "print(sum(map(int, input().split())))\n",
}


def write_package(root: Path, files: Files) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def hash_in(spec: ProblemSpec) -> ContentOf:
    """The content of a file of a problem that was read."""
    return lambda file: hash_of(spec.path(file).read_bytes())


class PackageReader:
    """Reads a plain package that differs in what a test is about."""

    def __init__(self, root: Path, plain: Files) -> None:
        self.root = root
        self.plain = plain
        self._read = 0

    def __call__(
        self, files: Files | None = None, *, without: tuple[str, ...] = (), dialect: Dialect = Dialect.KATTIS
    ) -> ProblemSpec:
        kept = {name: text for name, text in self.plain.items() if not name.startswith(without or "\0")}
        write_package(self.root, {**kept, **(files or {})})
        self._read += 1
        made = self.root.with_name(f"made-{self._read}")
        return read_directory(self.root, ReadingOptions(dialect=dialect), made)


HOSTILE_VALIDATORS: Mapping[str, str] = {
    "forks": """
import os, signal, sys
try:
    for _ in range(10_000):
        if os.fork() == 0:
            signal.pause()
except OSError as error:
    sys.exit(f"stopped: {error}")
""",
    "fills": """
import sys
try:
    for name in ("/tmp/full", "/app/full", "/dev/shm/full", "full"):
        with open(name, "wb") as file:
            for _ in range(1024):
                file.write(bytes(1 << 20))
except OSError as error:
    sys.exit(f"stopped: {error}")
""",
    "prints": """
while True:
    print("x" * 65536)
""",
    "reads": """
import glob, os, socket, sys
seen = [name for name in ("/root", "/home", "/run") if os.path.isdir(name) and os.listdir(name)]
seen += [name for name in glob.glob("/var/lib/*") if name != "/var/lib/ghc"]  # boxes have Haskell's packages
seen += [name for name in os.environ if "DEEPOJ" in name or "KEY" in name]
for file in ("/etc/shadow", "/proc/1/environ", "/proc/1/mem", "/proc/kcore", *glob.glob("/proc/1/fd/*")):
    try:
        open(file, "rb").read(1)
        seen.append(file)
    except OSError:
        pass
try:
    seen.append(str(socket.create_connection(("192.0.2.1", 80), timeout=1)))
except OSError as error:
    seen or sys.exit(f"stopped: {error}")
""",
    "kills": """
import os, signal, sys
for victim in (-1, 1, os.getppid()):
    try:
        os.kill(victim, signal.SIGKILL)
    except OSError:
        pass
sys.exit("stopped: nobody else is gone")
""",
}
"""What each tries is done when it comes to its end in peace."""
