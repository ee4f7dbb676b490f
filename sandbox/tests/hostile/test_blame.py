"""Programs that try to make their failure look like ours: trees nobody can wipe, files nobody can start."""

import struct

import pytest

from deepoj_sandbox.host import files
from deepoj_sandbox.host.box import Box
from deepoj_sandbox.result import RunStatus
from deepoj_sandbox.testing import Laboratory

PYTHON = "/usr/bin/python3"


def elf(interpreter: bytes = b"", *, machine: int = 62, kind: int = 2, offset: int = 64) -> bytes:
    """The head of an executable that asks for an interpreter, and nothing else of it."""
    header = b"\x7fELF\x02\x01\x01" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0x400000, offset, 0, 0, 64, 56, 1, 0, 0, 0)
    start = 64 + 56
    segment = struct.pack("<IIQQQQQQ", 3, 4, start, 0, 0, len(interpreter), len(interpreter), 1)
    return header + segment + interpreter


UNSTARTABLE = {
    "empty": b"",
    "text": b"not a program\n",
    "elf without a body": b"\x7fELF",
    "interpreter that is not there": elf(b"/nonexistent\0"),
    "interpreter that is a directory": elf(b"/usr\0"),
    "interpreter that is no program": elf(b"/etc/passwd\0"),
    "interpreter of four kilobytes": elf(b"/" + b"x" * 4096 + b"\0"),
    "interpreter without an end": elf(b"/bin/true"),
    "interpreter below a file": elf(b"/etc/passwd/x\0"),
    "another machine": elf(b"/bin/true\0", machine=40),
    "headers behind the end": elf(b"/bin/true\0", offset=1 << 40),
    "script of nothing": b"#!\n",
    "script of what is not there": b"#!/nonexistent\n",
    "script of itself": b"#!/app/program\n",
    "script of a directory": b"#!/usr\n",
    "script of four kilobytes": b"#!/" + b"x" * 4096 + b"\n",
}
TREES = {
    "names the wiper might choose": "import os; [os.makedirs(f'lifted {n}/x/y') for n in range(1, 50)]",
    "a chain of such names": "import os; os.makedirs('/'.join(f'lifted {n}' for n in range(1, 40)))",
    "no permissions": "import os; os.makedirs('a/b/c'); [os.chmod(p, 0) for p in ('a/b/c', 'a/b', 'a')]",
    "names that are not text": "import os; os.makedirs(b'\\xff/\\xfe'); open(b'\\xff/\\n\\r\\x1b', 'w')",
    "every inode": (
        "import os; os.mkdir('d')\nfor n in range(5000):\n try: os.mkdir(f'd/{n}')\n except OSError: break"
    ),
    "longest names": "import os; [os.makedirs(chr(97 + n) * 255 + '/' + 'z' * 255) for n in range(20)]",
    "every kind of file": (
        "import os; os.mkdir('d', 0o500); os.mkfifo('f'); os.symlink('/box', 'loop'); open('x', 'w')\n"
        "os.link('x', 'y'); os.chmod('x', 0); os.mknod('n')"
    ),
}


@pytest.mark.parametrize("content", UNSTARTABLE.values(), ids=UNSTARTABLE)
def test_a_program_that_cannot_be_started_is_a_runtime_error(
    laboratory: Laboratory, box: Box, content: bytes
) -> None:
    laboratory.put(box, "program", content, executable=True)
    finished = laboratory.attack_in(box, "/app/program")
    assert finished.status is RunStatus.RE
    assert finished.result.signal or finished.result.exit_code


def test_why_a_program_cannot_be_started_is_said_on_its_stderr(laboratory: Laboratory, box: Box) -> None:
    laboratory.put(box, "program", elf(b"/nonexistent\0"), executable=True)
    finished = laboratory.run(box, "/app/program")
    assert (finished.result.exit_code, finished.stdout) == (126, b"")
    assert finished.stderr == b"the program cannot be started: No such file or directory\n"


def test_a_program_that_is_not_executable_or_vanished_from_scratch_is_a_runtime_error(
    laboratory: Laboratory, box: Box
) -> None:
    laboratory.put(box, "program", b"#!/bin/true\n")
    for path in ("/app/program", "/box/program", "/box/no/program"):
        assert laboratory.run(box, path).status is RunStatus.RE
    laboratory.expect_clean(box, laboratory.footprint(box))


@pytest.mark.parametrize("program", TREES.values(), ids=TREES)
def test_no_tree_of_files_spoils_the_next_run(laboratory: Laboratory, box: Box, program: str) -> None:
    laboratory.put(box, "tree.py", program.encode())
    assert laboratory.attack_in(box, PYTHON, "/app/tree.py").status is RunStatus.OK


def test_a_listing_leaves_out_what_has_no_name_in_unicode(laboratory: Laboratory, box: Box) -> None:
    program = b"import os\nos.mkdir(b'\\xff')\nfor name in (b'\\xff/in', b'\\xfe', b'a'): open(name, 'w')"
    laboratory.put(box, "p.py", program)
    assert laboratory.run(box, PYTHON, "/app/p.py").status is RunStatus.OK
    assert files.listing(box) == ["a"]
