"""A submission goes in at record and comes out judged."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import psycopg

from deepoj_domain.kernel.digest import content_hash
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention, ProgramChecker, SourceFile
from deepoj_proto.common.v1 import judging_pb2
from deepoj_proto.record.v1 import record_pb2

from .conftest import ADD, ADMIN

if TYPE_CHECKING:
    from .conftest import Pipeline

ADD_CPP = "#include <bits/stdc++.h>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b; }\n"


async def test_submissions_in_several_languages_are_judged_and_acknowledged(pipeline: Pipeline) -> None:
    await pipeline.worker()
    question = await pipeline.questions.add()
    ids = [await pipeline.submit(question), await pipeline.submit(question, ADD_CPP, "cpp17")]
    for submission in ids:
        ended = (await pipeline.ended(submission)).submission
        assert ended.status == record_pb2.STATUS_FINISHED
        assert ended.result.verdict == judging_pb2.VERDICT_ACCEPTED
        assert ended.result.score.micros == 100_000_000
        assert ended.attempt_id == 1
    await pipeline.drained()


SPOIL = """
import os
for path in ("/proc/self/fd/0", "/dev/stdin"):
    for change in (lambda: os.fchmod(0, 0o777), lambda: os.truncate(path, 0)):
        try: change()
        except OSError: pass
    for flags in (os.O_RDWR, os.O_WRONLY | os.O_TRUNC):
        try: os.pwrite(os.open(path, flags), b"9 9\\n", 0)
        except OSError: pass
"""


async def test_a_submission_that_rewrites_its_input_changes_nothing_for_others(pipeline: Pipeline) -> None:
    await pipeline.worker()
    question = await pipeline.questions.add()
    by_name = "print(sum(map(int, open('/dev/stdin').read().split())))"
    for source in (SPOIL + ADD, by_name, SPOIL + by_name, ADD):
        ended = (await pipeline.ended(await pipeline.submit(question, source))).submission
        assert ended.result.verdict == judging_pb2.VERDICT_ACCEPTED
    kept = list(pipeline.home.glob("worker-*/data/??/*"))
    assert len(kept) >= 2
    assert [hashlib.sha256(path.read_bytes()).hexdigest() for path in kept] == [path.name for path in kept]


async def test_cache_revision_bump_invalidation(pipeline: Pipeline) -> None:
    """A new revision makes what was judged unreachable: the same code is judged by the new data."""
    worker = await pipeline.worker()
    question = await pipeline.questions.add({"1 2": "3"})
    first, again = [(await pipeline.ended(await pipeline.submit(question))).submission for _ in range(2)]
    assert 'judge_cache_total{result="hit"} 1.0' in worker.metrics()
    await pipeline.revise(question, {"1 2": "4"})
    bumped = (await pipeline.ended(await pipeline.submit(question))).submission
    assert (first.question_revision, again.question_revision, bumped.question_revision) == (1, 1, 2)
    assert first.result.verdict == again.result.verdict == judging_pb2.VERDICT_ACCEPTED
    assert bumped.result.verdict == judging_pb2.VERDICT_WRONG_ANSWER
    assert 'judge_cache_total{result="hit"} 1.0' in worker.metrics()


EXCHANGE = """
UPDATE judgement.judgements one SET result = other.result
FROM judgement.judgements other WHERE other.code_sha256 <> one.code_sha256
"""


async def test_a_rejudge_is_judged_afresh_and_mends_what_the_judge_cache_knew(pipeline: Pipeline) -> None:
    await pipeline.worker()
    question = await pipeline.questions.add({"1 2": "3"})
    for source in (ADD, "print(4)"):
        await pipeline.ended(await pipeline.submit(question, source))
    async with await psycopg.AsyncConnection.connect(pipeline.settings["postgres_url"]) as connection:
        await connection.execute(EXCHANGE)
    wrong = (await pipeline.ended(await pipeline.submit(question))).submission
    assert wrong.result.verdict == judging_pb2.VERDICT_WRONG_ANSWER

    rejudge = record_pb2.StartRejudgeRequest(
        actor=ADMIN, rejudge_id=str(pipeline.new_id()), submission_id=wrong.id
    )
    await pipeline.record.StartRejudge(rejudge)
    preview = record_pb2.PreviewRejudgeRequest(actor=ADMIN, rejudge_id=rejudge.rejudge_id)
    [effect] = (await pipeline.record.PreviewRejudge(preview)).effects
    mended = (await pipeline.ended(effect.new_submission_id)).submission
    assert mended.result.verdict == judging_pb2.VERDICT_ACCEPTED
    later = (await pipeline.ended(await pipeline.submit(question))).submission
    assert later.result.verdict == judging_pb2.VERDICT_ACCEPTED


async def test_a_setters_interactor_talks_with_submissions_and_its_points_are_kept(
    pipeline: Pipeline,
) -> None:
    await pipeline.worker()
    interactor = await a_program(
        pipeline,
        {
            "main.py": "import sys, telling\nprint(7, flush=True)\nsys.exit(telling.verdict(input()))",
            "telling.py": "import sys\ndef verdict(said):\n"
            "    open(sys.argv[3] + 'score.txt', 'w').write('33.5')\n"
            "    return 42 if said == '49' else 43",
        },
    )
    question = await pipeline.questions.add({"7\n": ""}, checker=interactor)
    right, wrong = [
        (await pipeline.ended(await pipeline.submit(question, source))).submission.result
        for source in ("print(int(input()) ** 2)", "print(input())")
    ]
    assert (right.verdict, right.score.micros) == (judging_pb2.VERDICT_ACCEPTED, 33_500_000)
    assert right.cases[0].points.micros == 33_500_000
    assert (wrong.verdict, wrong.score.micros) == (judging_pb2.VERDICT_WRONG_ANSWER, 0)


async def a_program(pipeline: Pipeline, files: dict[str, str]) -> ProgramChecker:
    keys = [await pipeline.objects.put_content(text.encode(), prefix="data/") for text in files.values()]
    return ProgramChecker(
        sources=tuple(
            SourceFile(name, content_hash(key.removeprefix("data/")))
            for name, key in zip(files, keys, strict=True)
        ),
        language=language_slug("python3"),
        convention=Convention.ICPC,
        interactive=True,
        scores=True,
    )
