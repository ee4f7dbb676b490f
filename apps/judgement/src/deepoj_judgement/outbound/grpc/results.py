"""A judge result on the wire."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from google.protobuf.duration_pb2 import Duration

from deepoj_domain.judgement.result import CaseResult, JudgeResult
from deepoj_domain.kernel.score import Score
from deepoj_domain.kernel.verdict import Verdict
from deepoj_proto.common.v1 import judging_pb2

_KIB: Final = 1024
VERDICT_OF: Final = {
    Verdict.ACCEPTED: judging_pb2.VERDICT_ACCEPTED,
    Verdict.WRONG_ANSWER: judging_pb2.VERDICT_WRONG_ANSWER,
    Verdict.PRESENTATION_ERROR: judging_pb2.VERDICT_PRESENTATION_ERROR,
    Verdict.TIME_LIMIT: judging_pb2.VERDICT_TIME_LIMIT_EXCEEDED,
    Verdict.MEMORY_LIMIT: judging_pb2.VERDICT_MEMORY_LIMIT_EXCEEDED,
    Verdict.OUTPUT_LIMIT: judging_pb2.VERDICT_OUTPUT_LIMIT_EXCEEDED,
    Verdict.RUNTIME_ERROR: judging_pb2.VERDICT_RUNTIME_ERROR,
    Verdict.COMPILE_ERROR: judging_pb2.VERDICT_COMPILE_ERROR,
    Verdict.SYSTEM_ERROR: judging_pb2.VERDICT_SYSTEM_ERROR,
}


def encode_result(result: JudgeResult) -> judging_pb2.JudgeResult:
    return judging_pb2.JudgeResult(
        verdict=VERDICT_OF[result.verdict],
        score=_score(result.score),
        time=_duration(result.usage.time_ms),
        memory_bytes=result.usage.memory_kib * _KIB,
        cases=[_case(number, case) for number, case in enumerate(result.cases, start=1)],
        groups=[judging_pb2.GroupResult(name=each.group, score=_score(each.score)) for each in result.groups],
        log_prefix=result.log_prefix,
        compile_output=result.message,
    )


def _case(number: int, case: CaseResult) -> judging_pb2.CaseResult:
    return judging_pb2.CaseResult(
        number=number,
        name=case.case,
        verdict=judging_pb2.VERDICT_UNSPECIFIED if case.verdict is None else VERDICT_OF[case.verdict],
        share_millionths=case.share.millionths,
        time=_duration(case.usage.time_ms),
        memory_bytes=case.usage.memory_kib * _KIB,
        exit_code=case.exit_code,
        signal=case.signal,
        message=case.message,
        points=None if case.points is None else _score(case.points),
    )


def _score(score: Score) -> judging_pb2.Score:
    return judging_pb2.Score(micros=score.micros)


def _duration(milliseconds: int) -> Duration:
    message = Duration()
    message.FromTimedelta(timedelta(milliseconds=milliseconds))
    return message
