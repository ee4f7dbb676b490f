"""Results as the judge cache keeps them: the form is fixed, and older ones can be read."""

from __future__ import annotations

import msgspec

from deepoj_domain.judgement.result import CaseResult, GroupScore, JudgeResult, Usage
from deepoj_domain.kernel.score import Score, Share
from deepoj_domain.kernel.verdict import Verdict

RESULT = JudgeResult(
    Verdict.WRONG_ANSWER,
    (GroupScore("all", Score.points("33.333333")),),
    Usage(12, 2048),
    (
        CaseResult(
            "1", Verdict.ACCEPTED, Share(1_000_000), Usage(12, 2048), points=Score.points("33.333333")
        ),
        CaseResult("2", Verdict.WRONG_ANSWER, Share(250_000), Usage(3, 1024), 1, 0, "line 3 differs"),
        CaseResult.skipped("3"),
    ),
)
STORED = (
    b'{"verdict":"WA","groups":[{"group":"all","score":{"micros":33333333}}],'
    b'"usage":{"time_ms":12,"memory_kib":2048},"cases":['
    b'{"case":"1","verdict":"AC","share":{"millionths":1000000},"usage":{"time_ms":12,"memory_kib":2048},'
    b'"exit_code":0,"signal":0,"message":"","points":{"micros":33333333}},'
    b'{"case":"2","verdict":"WA","share":{"millionths":250000},"usage":{"time_ms":3,"memory_kib":1024},'
    b'"exit_code":1,"signal":0,"message":"line 3 differs","points":null},'
    b'{"case":"3","verdict":null,"share":{"millionths":0},"usage":{"time_ms":0,"memory_kib":0},'
    b'"exit_code":0,"signal":0,"message":"","points":null}],"message":"","log_prefix":""}'
)


def test_a_result_is_stored_in_one_form() -> None:
    assert msgspec.json.encode(RESULT) == STORED
    assert msgspec.json.decode(STORED, type=JudgeResult) == RESULT


def test_a_result_from_before_checkers_gave_points_can_be_read() -> None:
    before = STORED.replace(b',"points":null', b"").replace(b',"points":{"micros":33333333}', b"")
    first, *others = msgspec.json.decode(before, type=JudgeResult).cases
    assert (first.points, tuple(others)) == (None, RESULT.cases[1:])
