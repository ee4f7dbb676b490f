"""What a replay says: which verdicts are the same, what it cost, and what was different around it."""

from dataclasses import replace

from deepoj_domain.judgement.manifest import JudgeHost, Manifest
from deepoj_domain.judgement.reproduction import CaseOutcome, Reached, compare
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.question.limits import Limits
from deepoj_domain.testing import QUESTION

AC, TLE = Verdict.ACCEPTED, Verdict.TIME_LIMIT
HOST = JudgeHost(
    worker="one", version="1", architecture="x86_64", processor="p", cores=2, kernel="Linux 6.1", layers=()
)
MANIFEST = Manifest(
    revision=RevisionRef(QUESTION, 1),
    spec=hash_of(b"spec"),
    data=hash_of(b"data"),
    source=hash_of(b"source"),
    language=language_slug("python3"),
    toolchain="Python 3.11",
    checker_toolchains=(),
    compile=(),
    run=("/usr/bin/python3", "{main}"),
    environment=(),
    limits=Limits(1000, 65_536, 1024),
    host=HOST,
)


def reached(
    *cases: tuple[str, Verdict | None, int], verdict: Verdict = AC, manifest: Manifest | None = MANIFEST
) -> Reached:
    return Reached(verdict, tuple(CaseOutcome(*case, 1024) for case in cases), manifest)


def test_the_same_in_everything_is_said_in_one_sentence() -> None:
    found = compare(reached(("1", AC, 100), ("2", AC, 100)), reached(("1", AC, 90), ("2", AC, 120)))
    assert found.same
    assert found.sentence == (
        "The same: AC, case by case. CPU time: 200 ms then, 210 ms now (1.05 times). "
        "Judged with the same in all that is kept."
    )


def test_a_case_that_differs_is_named_with_what_was_different_around_it() -> None:
    other = replace(MANIFEST, toolchain="Python 3.12", host=replace(HOST, worker="two", kernel="Linux 6.9"))
    found = compare(
        reached(("1", AC, 100), ("2", AC, 100)),
        reached(("1", AC, 100), ("2", TLE, 1000), verdict=TLE, manifest=other),
    )
    assert not found.same
    assert "It was AC and is TLE. Cases that differ: 2 (AC, now TLE)." in found.sentence
    assert found.sentence.endswith(
        "Different: toolchain (Python 3.11, now Python 3.12), worker (one, now two), "
        "kernel (Linux 6.1, now Linux 6.9)."
    )


def test_one_verdict_over_other_cases_is_not_the_same() -> None:
    """A wrong submission may fail elsewhere: what was skipped then has run now."""
    before = reached(("1", TLE, 1000), ("2", None, 0), verdict=TLE)
    after = reached(("1", AC, 900), ("2", TLE, 1000), verdict=TLE)
    assert not compare(before, after).same
    assert "1 (TLE, now AC), 2 (skipped, now TLE)" in compare(before, after).sentence


def test_of_many_cases_that_differ_three_are_named() -> None:
    before, after = (tuple((str(n), verdict, 1) for n in range(5)) for verdict in (AC, TLE))
    sentence = compare(reached(*before), reached(*after, verdict=TLE)).sentence
    assert "0 (AC, now TLE), 1 (AC, now TLE), 2 (AC, now TLE) and 2 more." in sentence


def test_a_case_that_is_not_there_any_more_is_no_same_case() -> None:
    found = compare(reached(("1", AC, 1)), reached(("2", AC, 1)))
    assert [(case.name, case.same) for case in found.cases] == [("1", False), ("2", False)]


def test_without_a_manifest_nobody_says_that_nothing_was_different() -> None:
    found = compare(reached(("1", AC, 1), manifest=None), reached(("1", AC, 1)))
    assert found.same
    assert found.differences == ()
    assert found.sentence.endswith("What it was judged with then was not kept.")


def test_a_result_from_the_cache_is_said_to_be_one() -> None:
    cached = replace(MANIFEST, from_cache=True)
    assert "judge cache" in compare(reached(manifest=cached), reached()).sentence


def test_a_compile_error_has_no_cases_to_compare() -> None:
    broken = reached(verdict=Verdict.COMPILE_ERROR)
    assert compare(broken, broken).sentence.startswith("The same: CE. Judged")
