"""A judge spec from the wire becomes a value, or says what is wrong with it."""

from __future__ import annotations

import pytest

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.score import Score
from deepoj_domain.question.checker import (
    Checker,
    Convention,
    ExactChecker,
    FloatChecker,
    LineChecker,
    ProgramChecker,
    TokenChecker,
)
from deepoj_domain.question.suite import StopPolicy
from deepoj_judgement.outbound.grpc.spec_decoding import decode_spec
from deepoj_judgement.outbound.toolchains.table import language_table
from deepoj_proto.question.v1 import question_pb2 as pb

HASH = hash_of(b"x")
FILE = pb.ObjectRef(sha256=HASH, size=1)


def an_answer(checker: pb.Checker, **spec: object) -> pb.GetJudgeSpecResponse:
    answer = pb.GetJudgeSpecResponse(limits=pb.Limits(memory_bytes=64 << 20))
    answer.limits.time.FromMilliseconds(1500)
    answer.spec.checker.CopyFrom(checker)
    answer.spec.cases.append(pb.Case(name="1", input=FILE, answer=FILE))
    answer.spec.stop_at_first_failure = bool(spec.get("stop"))
    return answer


def builtin(mode: pb.BuiltinMode.ValueType, **options: bool | str) -> pb.Checker:
    checker = pb.BuiltinChecker(mode=mode)
    for name, value in options.items():
        setattr(checker, name, value)
    return pb.Checker(builtin=checker)


PROGRAM = pb.CheckerProgram(
    language="cpp17",
    sources=[pb.NamedObject(name="c.cpp", object=FILE)],
    convention=pb.CHECKER_CONVENTION_ICPC,
)


@pytest.mark.parametrize(
    ("wire", "checker"),
    [
        (builtin(pb.BUILTIN_MODE_EXACT), ExactChecker()),
        (builtin(pb.BUILTIN_MODE_LINES, collapse_spaces=True),
         LineChecker(ignore_trailing_space=False, collapse_spaces=True)),
        (builtin(pb.BUILTIN_MODE_TOKENS, ignore_case=True), TokenChecker(case_sensitive=False)),
        (builtin(pb.BUILTIN_MODE_TOKENS, absolute_tolerance="1e-6"), FloatChecker(absolute="1e-6")),
        (pb.Checker(program=PROGRAM),
         ProgramChecker(source=HASH, language=language_table()[1].slug, convention=Convention.ICPC)),
    ],
)  # fmt: skip
def test_every_kind_of_checker_is_read(wire: pb.Checker, checker: Checker) -> None:
    assert decode_spec(an_answer(wire)).checker == checker


@pytest.mark.parametrize(
    "wire", [pb.Checker(), builtin(pb.BUILTIN_MODE_UNSPECIFIED), pb.Checker(program=pb.CheckerProgram())]
)
def test_what_is_unknown_is_refused(wire: pb.Checker) -> None:
    with pytest.raises(InvalidValueError):
        decode_spec(an_answer(wire))


def test_without_groups_the_cases_are_one_group_worth_everything() -> None:
    spec = decode_spec(an_answer(builtin(pb.BUILTIN_MODE_EXACT), stop=True))
    assert [(group.name, group.points) for group in spec.suite.groups] == [("all", Score.points(100))]
    assert spec.suite.stop is StopPolicy.FIRST_FAILURE
    assert (spec.limits.cpu_ms, spec.limits.wall_ms, spec.limits.memory_kib) == (1500, 4000, 65_536)


def test_an_own_limit_of_a_language_is_taken_as_it_is() -> None:
    answer = an_answer(builtin(pb.BUILTIN_MODE_EXACT))
    own = answer.limits.per_language.add(language="python3")
    own.time.FromMilliseconds(4000)
    spec = decode_spec(answer)
    python = next(row for row in language_table() if row.slug == "python3")
    cpp = next(row for row in language_table() if row.slug == "cpp17")
    assert (spec.limits_for(python).cpu_ms, spec.limits_for(cpp).cpu_ms) == (4000, 1500)
