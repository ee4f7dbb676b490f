"""A judge result from the wire."""

from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration

from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.errors import BrokenInvariantError, InvalidValueError
from deepoj_domain.kernel.score import Score, Share
from deepoj_domain.kernel.verdict import Verdict
from deepoj_proto.common.v1 import judging_pb2
from deepoj_record.inbound.grpc.decode import VERDICTS, enum

_MESSAGE: Final = 4000
_CASE_MESSAGE: Final = 500
_NAME: Final = 200
_MOST_CASES: Final = 10_000
_KIB: Final = 1024


def judge_result(message: judging_pb2.JudgeResult) -> JudgeResult:
    if len(message.cases) > _MOST_CASES:
        raise InvalidValueError("too_many_cases", f"a result has at most {_MOST_CASES} cases")
    try:
        result = _result(message)
    except BrokenInvariantError as error:
        raise InvalidValueError("result_inconsistent", str(error)) from error
    if result.score.micros != message.score.micros:
        raise InvalidValueError("score_mismatch", "the score is not the sum of its groups")
    return result


def _result(message: judging_pb2.JudgeResult) -> JudgeResult:
    return JudgeResult(
        verdict=enum(VERDICTS, message.verdict, "verdict"),
        groups=tuple(
            GroupScore(_clean(group.name, _NAME), Score(group.score.micros)) for group in message.groups
        ),
        usage=_usage(message.time, message.memory_bytes),
        cases=tuple(_case(case) for case in message.cases),
        message=_clean(message.compile_output, _MESSAGE),
        log_prefix=_clean(message.log_prefix, _NAME),
    )


def _case(message: judging_pb2.CaseResult) -> CaseResult:
    skipped = message.verdict == judging_pb2.VERDICT_UNSPECIFIED
    verdict: Verdict | None = None if skipped else enum(VERDICTS, message.verdict, "verdict")
    return CaseResult(
        case=_clean(message.name, _NAME) or str(message.number),
        verdict=verdict,
        share=Share(message.share_millionths),
        usage=_usage(message.time, message.memory_bytes),
        exit_code=message.exit_code,
        signal=message.signal,
        message=_clean(message.message, _CASE_MESSAGE),
        points=Score(message.points.micros) if message.HasField("points") else None,
    )


def _usage(time: Duration, memory_bytes: int) -> Usage:
    """Memory is rounded up: what was used is never shown as less."""
    return Usage(time_ms=time.ToMilliseconds(), memory_kib=-(-memory_bytes // _KIB))


def _clean(text: str, most: int) -> str:
    """PostgreSQL stores no NUL, and a compiler may print one."""
    return text[:most].replace("\0", "\N{REPLACEMENT CHARACTER}")
