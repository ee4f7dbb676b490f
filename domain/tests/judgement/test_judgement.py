from dataclasses import replace

import pytest

from deepoj_domain.judgement.judgement import Judgement, JudgementKey, JudgementRefusal
from deepoj_domain.kernel.digest import hash_of
from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import JudgementId
from deepoj_domain.kernel.language import language_slug
from deepoj_domain.kernel.outcome import Changed, Refused
from deepoj_domain.kernel.revision import RevisionRef
from deepoj_domain.kernel.verdict import Verdict
from deepoj_domain.testing import NOW, QUESTION, a_result, uuid

KEY = JudgementKey(RevisionRef(QUESTION, 1), language_slug("cpp17"), "g++ 12.2", hash_of(b"int main() {}"))


def test_a_judgement_keeps_the_result_as_it_was() -> None:
    outcome = Judgement.remember(JudgementId(uuid(50)), KEY, a_result(), NOW)
    assert isinstance(outcome, Changed)
    assert outcome.after.result == a_result()


def test_our_own_failure_is_never_remembered() -> None:
    outcome = Judgement.remember(JudgementId(uuid(50)), KEY, a_result(Verdict.SYSTEM_ERROR), NOW)
    assert isinstance(outcome, Refused)
    assert outcome.reason is JudgementRefusal.NOT_REPEATABLE


def test_revision_language_toolchain_and_code_each_make_another_key() -> None:
    others = {
        replace(KEY, revision=RevisionRef(QUESTION, 2)),
        replace(KEY, language=language_slug("cpp20")),
        replace(KEY, toolchain="g++ 13.1"),
        replace(KEY, code=hash_of(b"")),
    }
    assert len(others | {KEY}) == 5


def test_a_key_without_a_toolchain_is_refused() -> None:
    with pytest.raises(InvalidValueError):
        replace(KEY, toolchain="")
