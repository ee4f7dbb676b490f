"""What an editor sends, and the revision it makes of what there was."""

from __future__ import annotations

from dataclasses import dataclass, field

from deepoj_domain.kernel.language import LanguageSlug
from deepoj_domain.question.checker import Checker, Grader, ProgramChecker
from deepoj_domain.question.limits import Allowance
from deepoj_domain.question.listing import Listing
from deepoj_domain.question.presentation import Presentation
from deepoj_domain.question.revision import Judging, RevisionContent
from deepoj_domain.question.submission_form import SubmissionForm
from deepoj_domain.question.suite import Suite


@dataclass(frozen=True, slots=True)
class CheckedSuite:
    suite: Suite
    checker: Checker
    form: SubmissionForm = field(default=SubmissionForm())
    grader: Grader | None = None
    source_checker: ProgramChecker | None = None

    @classmethod
    def of(cls, judging: Judging) -> CheckedSuite:
        return cls(judging.suite, judging.checker, judging.form, judging.grader, judging.source_checker)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    listing: Listing
    presentation: Presentation
    languages: frozenset[LanguageSlug] | None
    allowance: Allowance | None
    """None keeps what there was, as with the tests."""
    tests: CheckedSuite | None

    def content(self, before: RevisionContent | None) -> RevisionContent | None:
        """Return the content of the revision; None when a part is missing and nothing was there before."""
        allowance, tests = self.allowance, self.tests
        if before is not None:
            allowance = allowance or before.judging.allowance
            tests = tests or CheckedSuite.of(before.judging)
        if allowance is None or tests is None:
            return None
        judging = Judging(
            allowance=allowance,
            suite=tests.suite,
            checker=tests.checker,
            languages=self.languages,
            form=tests.form,
            grader=tests.grader,
            source_checker=tests.source_checker,
        )
        extras = () if before is None else before.extras
        return RevisionContent(presentation=self.presentation, judging=judging, extras=extras)
