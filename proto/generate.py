"""Generate deepoj_proto from the .proto sources beside this file."""

from __future__ import annotations

import argparse
import filecmp
import importlib.resources
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = HERE / "deepoj"
PACKAGE = "deepoj_proto"
SUFFIXES = ("_pb2.py", "_pb2.pyi", "_pb2_grpc.py", "_pb2_grpc.pyi")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, epilog="example: uv run proto/generate.py --check")
    parser.add_argument(
        "--check", action="store_true", help="change nothing; exit 1 when a file would change"
    )
    if not parser.parse_args().check:
        generate(SOURCES, HERE / "src")
        return 0
    stale = stale_files(SOURCES, HERE / "src")
    for name in stale:
        print(f"{name} does not match its .proto source: run proto/generate.py", file=sys.stderr)
    return 1 if stale else 0


def generate(sources: Path, output: Path) -> None:
    tools = Path(sys.executable).parent
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc"),
        # The virtual prefix makes the generated modules import each other as deepoj_proto.….
        f"--proto_path={PACKAGE}={sources}",
        f"--proto_path={importlib.resources.files('grpc_tools') / '_proto'}",
        *(f"--plugin=protoc-gen-{name}={tools / f'protoc-gen-{name}'}" for name in ("mypy", "mypy_grpc")),
        *(f"--{name}_out={output}" for name in ("python", "grpc_python")),
        *(f"--{name}_out=quiet:{output}" for name in ("mypy", "mypy_grpc")),
        *sorted(f"{PACKAGE}/{path.relative_to(sources)}" for path in sources.rglob("*.proto")),
    ]
    subprocess.run(command, check=True)


def stale_files(sources: Path, committed: Path) -> list[str]:
    """Name every generated file that is missing, left over or different."""
    with tempfile.TemporaryDirectory() as directory:
        fresh = Path(directory)
        generate(sources, fresh)
        names = {str(path.relative_to(root)) for root in (fresh, committed) for path in _generated(root)}
        _, different, missing = filecmp.cmpfiles(fresh, committed, sorted(names), shallow=False)
    return sorted(different + missing)


def _generated(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.name.endswith(SUFFIXES)]


if __name__ == "__main__":
    sys.exit(main())
