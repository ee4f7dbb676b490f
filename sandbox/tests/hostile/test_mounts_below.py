"""A mount below what every box is shown is as read-only as what it lies in."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import deepoj_sandbox

NOBODY = 65534
# In a mount namespace of its own: nothing of it is left, however the test ends.
ARRANGE = """
mount -t tmpfs -o mode=1777 plain "$1/below/one" &&
mount -t tmpfs -o mode=1777 odd "$1/below/with space" &&
cp /usr/bin/id "$1/below/one/id" && chmod 4755 "$1/below/one/id" &&
mknod "$1/below/one/zero" c 1 5 && chmod 666 "$1/below/one/zero" &&
mount -t tmpfs -o mode=1777 hidden "$1/below/covered/inside" &&
mount -t tmpfs -o mode=1777 cover "$1/below/covered" &&
shift && exec "$@"
"""
ASK = """
while read -r id parent device root point options rest; do
    case "$point" in /tool*) echo "$point $options";; esac
done < /proc/self/mountinfo
for place in /tool /tool/below/one "/tool/below/with space" /tool/below/covered; do
    (: > "$place/file") 2> /dev/null && echo "$place can be written"
done
(: < /tool/below/one/zero) 2> /dev/null && echo "a device can be opened"
exit 0
"""


@pytest.fixture
def tool() -> Iterator[Path]:
    if os.geteuid() != 0:
        pytest.skip("needs root, to mount")
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for below in ("one", "with space", "covered/inside"):
            (directory / "tool/below" / below).mkdir(parents=True)
        directory.chmod(0o755)
        (directory / "state").mkdir()
        yield directory


@pytest.mark.parametrize("user", [0, NOBODY], ids=["root", "rootless"])
def test_mounts_below_a_toolchain_are_read_only_without_set_uid_and_devices(tool: Path, user: int) -> None:
    python = sys.executable if user == 0 else "/usr/bin/python3"
    become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"] if user else []
    run = ["-m", "deepoj_sandbox", "run", "--state", str(tool / "state"), "--toolchain", f"{tool}/tool=/tool"]
    files = ["--put", f"ask={tool}/ask", "--stdout", str(tool / "state/out"), "--", "/bin/sh", "/app/ask"]
    (tool / "ask").write_text(ASK)
    os.chown(tool / "state", user, user)
    finished = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", ARRANGE, "sh", str(tool / "tool"), *become, python, *run, *files],
        env={
            "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            "PYTHONPATH": str(Path(deepoj_sandbox.__file__).parents[1]),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.stdout, finished
    verdict = json.loads(finished.stdout)
    if user and verdict["verdict"] == "SE":
        pytest.skip(f"no boxes for users here: {verdict}")
    assert verdict["verdict"] == "OK", finished
    lines = (tool / "state/out").read_text().splitlines()
    seen = [line.rsplit(" ", 1) for line in lines]
    points = {point for point, _ in seen}
    assert {"/tool", "/tool/below/one", "/tool/below/with space", "/tool/below/covered"} <= points, lines
    for point, options in seen:
        if point != "/tool/below/covered/inside":
            assert {"ro", "nosuid", "nodev"} <= set(options.split(",")), (point, options)
