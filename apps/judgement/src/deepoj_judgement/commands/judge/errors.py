"""Our own failure while judging. It is never the contestant's, and record decides whether to try again."""

from datetime import timedelta

from deepoj_domain.submission.retry import Failure
from deepoj_domain.submission.route import Abilities, Needs


class JudgingFailedError(Exception):
    def __init__(self, failure: Failure, detail: str, needs: Needs | None = None) -> None:
        super().__init__(f"{failure}: {detail}")
        self.failure = failure
        self.detail = detail
        self.needs = needs
        """What a host must have, when this one lacks some of it."""


class UnknownLanguageError(JudgingFailedError):
    def __init__(self, language: str) -> None:
        super().__init__(Failure.UNKNOWN_LANGUAGE, f"no language {language!r} in the table")


class LanguageNotInstalledError(JudgingFailedError):
    """Handed back, because another judge host may have it."""

    def __init__(self, language: str, package: str) -> None:
        super().__init__(
            Failure.LANGUAGE_NOT_INSTALLED,
            f"{language} is not installed on this judge host: install the Debian packages {package}",
        )


class UnableHostError(JudgingFailedError):
    """Handed back to hosts that have what this one lacks."""

    def __init__(self, needs: Needs, abilities: Abilities) -> None:
        has_languages = needs.languages <= abilities.languages
        failure = Failure.NOT_ENOUGH_MEMORY if has_languages else Failure.LANGUAGE_NOT_INSTALLED
        super().__init__(failure, f"this judge host {' and '.join(abilities.lacks(needs))}", needs)


class UnknownRevisionError(JudgingFailedError):
    def __init__(self, revision: object) -> None:
        super().__init__(Failure.MALFORMED_JOB, f"question has no {revision}")


class LanguageNotAllowedError(JudgingFailedError):
    def __init__(self, language: str) -> None:
        super().__init__(Failure.POLICY_VIOLATION, f"the question does not allow {language}")


class PolicyViolationError(JudgingFailedError):
    def __init__(self, detail: str) -> None:
        super().__init__(Failure.POLICY_VIOLATION, detail)


class SandboxFailedError(JudgingFailedError):
    def __init__(self, detail: str) -> None:
        super().__init__(Failure.SANDBOX_CRASH, detail)


class JudgingTimedOutError(SandboxFailedError):
    def __init__(self, most: timedelta) -> None:
        super().__init__(f"the judgement did not end within {most.total_seconds():g} s")


class StoreFailedError(JudgingFailedError):
    def __init__(self, detail: str) -> None:
        super().__init__(Failure.STORE_UNAVAILABLE, detail)


class ServiceFailedError(JudgingFailedError):
    def __init__(self, detail: str) -> None:
        super().__init__(Failure.INFRASTRUCTURE, detail)
