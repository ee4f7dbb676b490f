"""Admission's refusals as problems."""

from __future__ import annotations

from typing import Final

from deepoj_bff.inbound.http.errors import ApiError, ErrorType
from deepoj_domain.admission.decide import AdmissionRefusal, TurnedAway

_EXPLAINED: Final = {
    AdmissionRefusal.NO_WORKER_ALIVE: "no judge is running now; the operators have been told",
    AdmissionRefusal.QUEUE_FULL: "too many submissions are waiting; send yours a little later",
    AdmissionRefusal.RATE_LIMITED: "you are sending too fast",
    AdmissionRefusal.TOO_MANY_IN_FLIGHT: "as many of yours are being judged as may be; wait for a verdict",
    AdmissionRefusal.DAILY_QUOTA_SPENT: "today's submissions are used up; the count begins again at 0:00 UTC",
}


def turned_away(refused: TurnedAway) -> ApiError:
    closed = refused.reason is AdmissionRefusal.NO_WORKER_ALIVE
    kind = ErrorType.UNAVAILABLE if closed else ErrorType.TOO_MANY_REQUESTS
    return ApiError(kind, refused.reason, _EXPLAINED[refused.reason], retry_after=refused.retry_after)
