"""Judge results: a document as a worker sends it, and the message that readers get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from google.protobuf.duration_pb2 import Duration

from deepoj_domain.documents import JUDGE_RESULT
from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.errors import BrokenInvariantError, InvalidValueError
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_kit.documents import Document
from deepoj_proto.common.v1 import judging_pb2

RESULT: Final = Document(JUDGE_RESULT, InvalidValueError)
_MESSAGE: Final = 4000
_CASE_MESSAGE: Final = 500
_NAME: Final = 200
_MOST_CASES: Final = 10_000
_LARGEST: Final = 2**31
_KIB: Final = 1024
_NUMBERS: Final[Mapping[Verdict, judging_pb2.Verdict.ValueType]] = {
    verdict: judging_pb2.Verdict.Value(f"VERDICT_{verdict.name}") for verdict in Verdict
}


def read_result(document: bytes) -> JudgeResult:
    """Take nothing for granted but the types: a number that readers cannot be told would end their calls."""
    try:
        result = RESULT.decode(document)
    except BrokenInvariantError as error:
        raise InvalidValueError("result_inconsistent", str(error)) from error
    if len(result.cases) > _MOST_CASES:
        raise InvalidValueError("too_many_cases", f"a result has at most {_MOST_CASES} cases")
    if not (_is_told(result.usage) and all(map(_is_case_told, result.cases))):
        raise InvalidValueError("number_out_of_range", "times, memory and exits of a result have 31 bits")
    _ = result.score  # of all groups together
    return replace(
        result,
        groups=tuple(GroupScore(_clean(each.group, _NAME), each.score) for each in result.groups),
        cases=tuple(_case(number, each) for number, each in enumerate(result.cases, start=1)),
        message=_clean(result.message, _MESSAGE),
        log_prefix=_clean(result.log_prefix, _NAME),
    )


def read_toolchain(text: str) -> str:
    """A compiler may say anything of itself."""
    return _clean(text, _NAME)


def write_result(result: JudgeResult) -> judging_pb2.JudgeResult:
    """Readers are told numbers of cases and bytes."""
    return judging_pb2.JudgeResult(
        verdict=_NUMBERS[result.verdict],
        score=_score(result.score),
        time=_time(result.usage),
        memory_bytes=result.usage.memory_kib * _KIB,
        cases=[_write_case(number, case) for number, case in enumerate(result.cases, start=1)],
        groups=[judging_pb2.GroupResult(name=each.group, score=_score(each.score)) for each in result.groups],
        log_prefix=result.log_prefix,
        compile_output=result.message,
    )


def _is_told(usage: Usage) -> bool:
    return 0 <= usage.time_ms < _LARGEST and 0 <= usage.memory_kib < _LARGEST


def _is_case_told(case: CaseResult) -> bool:
    return _is_told(case.usage) and -_LARGEST <= case.exit_code < _LARGEST and 0 <= case.signal < _LARGEST


def _case(number: int, case: CaseResult) -> CaseResult:
    name, message = _clean(case.case, _NAME) or str(number), _clean(case.message, _CASE_MESSAGE)
    if (name, message) == (case.case, case.message):
        return case
    return replace(case, case=name, message=message)


def _clean(text: str, most: int) -> str:
    """PostgreSQL stores no NUL, and a compiler may print one."""
    return text[:most].replace("\0", "\N{REPLACEMENT CHARACTER}")


def _write_case(number: int, case: CaseResult) -> judging_pb2.CaseResult:
    return judging_pb2.CaseResult(
        number=number,
        name=case.case,
        verdict=judging_pb2.VERDICT_UNSPECIFIED if case.verdict is None else _NUMBERS[case.verdict],
        share_millionths=case.share.millionths,
        time=_time(case.usage),
        memory_bytes=case.usage.memory_kib * _KIB,
        exit_code=case.exit_code,
        signal=case.signal,
        message=case.message,
        points=None if case.points is None else _score(case.points),
    )


def _score(value: Score) -> judging_pb2.Score:
    return judging_pb2.Score(micros=value.micros)


def _time(usage: Usage) -> Duration:
    made = Duration()
    made.FromMilliseconds(usage.time_ms)
    return made
