"""Tests of a revision as they are kept: those of older revisions say less."""

from __future__ import annotations

import json
from dataclasses import replace

from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.question.checker import Convention, ProgramChecker, SourceFile
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.testing import some_judging
from deepoj_question.outbound.postgres.rows import decode_tests, encode_tests

PROGRAM = ProgramChecker(
    sources=(SourceFile("a.py", hash_of(b"a")),),
    language=language_slug("python3"),
    convention=Convention.ICPC,
)


def test_what_older_revisions_do_not_say_is_as_it_was() -> None:
    judging = replace(some_judging(), checker=PROGRAM)
    kept = json.loads(encode_tests(judging))
    del kept["form"], kept["checker"]["passes"], kept["checker"]["checker"]
    for case in kept["suite"]["cases"]:
        del case["time_ms"], case["memory_bytes"]
    for group in kept["suite"]["groups"]:
        del group["lowered_by_dependencies"]
    read = decode_tests(json.dumps(kept))
    assert (read.suite, read.checker, read.form) == (judging.suite, PROGRAM, SubmissionForm())
