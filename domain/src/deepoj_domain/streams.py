"""The streams between services by name. Who writes one says how much of it is kept."""

from dataclasses import dataclass
from typing import Final

from deepoj_domain.submission.route import Band, Lane

_JOBS: Final = ":jobs:"


@dataclass(frozen=True, slots=True)
class Streams:
    env: str
    """The deployment: several may share a server."""

    def jobs(self, lane: Lane, band: Band, needs: str = "") -> str:
        """With `needs` it is a part of the queue that hosts read which meet them."""
        return f"deepoj:{self.env}{_JOBS}{lane}:{band}" + (f":{needs}" if needs else "")

    @property
    def job_parts(self) -> str:
        """The set that names all such parts there have been."""
        return f"deepoj:{self.env}:job-parts"

    @property
    def dead_letters(self) -> str:
        return f"deepoj:{self.env}:dlq"

    @property
    def submission_events(self) -> str:
        return self._events("submission")

    @property
    def cancellations(self) -> str:
        """Ids of cancelled submissions for the workers, who read nothing else of submissions."""
        return self._events("cancelled")

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
