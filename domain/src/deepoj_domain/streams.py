"""The streams between services by name. Who writes one says how much of it is kept."""

from dataclasses import dataclass
from typing import Final

from deepoj_domain.submission.route import Band, Lane

_JOBS: Final = ":jobs:"


@dataclass(frozen=True, slots=True)
class Streams:
    env: str
    """The deployment: several may share a server."""

    def jobs(self, lane: Lane, band: Band) -> str:
        return f"deepoj:{self.env}{_JOBS}{lane}:{band}"

    @property
    def dead_letters(self) -> str:
        return f"deepoj:{self.env}:dlq"

    @property
    def submission_events(self) -> str:
        return self._events("submission")

    @property
    def question_events(self) -> str:
        return self._events("question")

    @property
    def account_events(self) -> str:
        return self._events("user")

    @property
    def progress(self) -> str:
        return self._events("progress")

    def _events(self, of: str) -> str:
        return f"deepoj:{self.env}:events:{of}"


def is_of_jobs(stream: str) -> bool:
    return _JOBS in stream
