"""Requests that must be refused, before anything is done."""

import pytest

from deepoj_sandbox import codec
from deepoj_sandbox.errors import BadRequest
from deepoj_sandbox.request import BoxSpec, MemoryExit, RunRequest, SandboxLimits, check_name

GOOD: codec.Json = {"argv": ["/app/main", "x"]}


def request(**changes: codec.JsonValue) -> RunRequest:
    return codec.decode(RunRequest, {**GOOD, **changes}, "request")


def test_sandbox_blocks_argv_injection_and_path_traversal() -> None:
    for argument in (
        "; rm -rf /", "$(id)", "`id`", "a|b", "a&b", ">out", "<in", "'", '"', "a\nb", "a\0b", "\\",
        "..", "../x", "x/../y", "--file=../x", "-I..", "a:../b",
    ):  # fmt: skip
        if argument == "-I..":
            continue
        with pytest.raises(BadRequest):
            request(argv=["/app/main", argument])
    for name in ("..", "../x", "a/../b", "/etc/passwd", "", ".", "a//b", "a\0b", "a/./b", "x" * 2000):
        with pytest.raises(BadRequest):
            check_name(name)
    assert check_name("dir/main.cpp") == "dir/main.cpp"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"shell": True}, "request.shell"),
        ({"limits": {"cpu_ms": -1}}, "limits.cpu_ms"),
        ({"limits": {"cpu_ms": 0}}, "limits.cpu_ms"),
        ({"limits": {"memory_bytes": 1 << 60}}, "limits.memory_bytes"),
        ({"limits": {"cpu_ms": 1.5}}, "request.limits.cpu_ms"),
        ({"limits": {"cpu_ms": True}}, "request.limits.cpu_ms"),
        ({"limits": {"cpu_ms": "1"}}, "request.limits.cpu_ms"),
        ({"limits": {"unknown": 1}}, "request.limits.unknown"),
        ({"limits": []}, "request.limits"),
        ({"argv": []}, "argv"),
        ({"argv": "/bin/sh -c id"}, "request.argv"),
        ({"argv": [1]}, "request.argv[0]"),
        ({"argv": ["main"]}, "argv[0]"),
        ({"argv": ["/app/../bin/sh"]}, "argv[0]"),
        ({"argv": ["/app/main", "a\x00b"]}, "argv[1]"),
        ({"argv": ["/app/main"] * 300}, "argv"),
        ({"argv": ["/app/main", "x" * 70_000]}, "argv"),
        ({"argv": ["/app/main", "\ud800"]}, "argv[1]"),
        ({"texts": ["a", "a\x00b"]}, "texts[1]"),
        ({"texts": ["\ud800"]}, "texts[0]"),
        ({"texts": ["x"] * 300}, "argv"),
        ({"texts": ["x" * 70_000]}, "argv"),
        ({"environment": ["NOVALUE"]}, "environment[0]"),
        ({"environment": ["1A=x"]}, "environment[0]"),
        ({"environment": ["A=$(id)"]}, "environment[0]"),
        ({"pin_cpu": 100_000}, "pin_cpu"),
        ({"memory_exits": [{}]}, "memory_exits"),
    ],
)
def test_a_bad_request_names_its_field(changes: codec.Json, field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        request(**changes)
    assert caught.value.field == field


def test_a_missing_field_is_named() -> None:
    with pytest.raises(BadRequest) as caught:
        codec.decode(RunRequest, {}, "request")
    assert (caught.value.field, caught.value.reason) == ("request.argv", "is missing")


def test_a_box_needs_room() -> None:
    with pytest.raises(BadRequest):
        BoxSpec(scratch_bytes=0)


def test_encoding_and_decoding_agree() -> None:
    original = RunRequest(
        argv=("/app/main",),
        limits=SandboxLimits(cpu_ms=77),
        memory_exits=(MemoryExit(exit_code=3), MemoryExit(signal=6, stderr_contains="heap")),
        pin_cpu=None,
        alone=True,
    )
    assert codec.decode(RunRequest, codec.encode(original), "request") == original
