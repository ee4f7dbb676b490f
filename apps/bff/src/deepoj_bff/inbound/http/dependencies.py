"""What routes work with. Each attribute is a dependency: a route names it as a parameter of its type here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

from deepoj_bff.commands.admit_run import AdmitRun
from deepoj_bff.commands.submit import Submit
from deepoj_bff.inbound.http.auth.caller import Caller
from deepoj_bff.inbound.http.auth.cookies import CookieJar
from deepoj_bff.inbound.http.auth.guard import caller_of
from deepoj_bff.inbound.http.sse.board_streams import BoardStreams
from deepoj_bff.inbound.http.sse.browser_streams import BrowserStreams
from deepoj_bff.inbound.http.sse.now_streams import NowStreams
from deepoj_bff.inbound.http.sse.submission_streams import SubmissionStreams
from deepoj_bff.queries.boards import ReadBoards
from deepoj_bff.queries.catalogue import ReadCatalogue
from deepoj_bff.queries.contests import ReadContests
from deepoj_bff.queries.count_rejudge import CountRejudge
from deepoj_bff.queries.dead_letters import ReadDeadLetters
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.queries.languages import ListLanguages
from deepoj_bff.queries.now import ReadNow
from deepoj_bff.queries.preview_rejudge import PreviewRejudge
from deepoj_bff.queries.problem_revisions import ReadProblemRevisions
from deepoj_bff.queries.problems import ReadProblems
from deepoj_bff.queries.quotas import ReadQuotas
from deepoj_bff.queries.replay import ReplaySubmission
from deepoj_bff.queries.services import Services
from deepoj_bff.queries.site import ReadSite
from deepoj_bff.queries.statistics import ReadStatistics
from deepoj_bff.queries.submissions import ReadSubmissions
from deepoj_bff.queries.views.quota import DoorLimits

# The framework would check each value against its annotation, which costs time and fails with protocols.
FromCaller = NamedDependency[SkipValidation[Caller]]
FromServices = NamedDependency[SkipValidation[Services]]
FromNewId = NamedDependency[SkipValidation[Callable[[], UUID]]]
"""Ids are made before a service is called, so that a call may be repeated."""
FromCookieJar = NamedDependency[SkipValidation[CookieJar]]
FromSubmit = NamedDependency[SkipValidation[Submit]]
FromAdmitRun = NamedDependency[SkipValidation[AdmitRun]]
FromProblems = NamedDependency[SkipValidation[ReadProblems]]
FromCatalogue = NamedDependency[SkipValidation[ReadCatalogue]]
FromSubmissions = NamedDependency[SkipValidation[ReadSubmissions]]
FromContests = NamedDependency[SkipValidation[ReadContests]]
FromBoards = NamedDependency[SkipValidation[ReadBoards]]
FromStatistics = NamedDependency[SkipValidation[ReadStatistics]]
FromQuotas = NamedDependency[SkipValidation[ReadQuotas]]
FromSite = NamedDependency[SkipValidation[ReadSite]]
FromLimits = NamedDependency[SkipValidation[DoorLimits]]
FromListLanguages = NamedDependency[SkipValidation[ListLanguages]]
FromDeadLetters = NamedDependency[SkipValidation[ReadDeadLetters]]
FromProblemRevisions = NamedDependency[SkipValidation[ReadProblemRevisions]]
FromCountRejudge = NamedDependency[SkipValidation[CountRejudge]]
FromPreviewRejudge = NamedDependency[SkipValidation[PreviewRejudge]]
FromReplay = NamedDependency[SkipValidation[ReplaySubmission]]
FromNow = NamedDependency[SkipValidation[ReadNow]]
FromNowStreams = NamedDependency[SkipValidation[NowStreams]]
FromGetHealth = NamedDependency[SkipValidation[GetHealth]]
FromSubmissionStreams = NamedDependency[SkipValidation[SubmissionStreams]]
FromBoardStreams = NamedDependency[SkipValidation[BoardStreams]]
FromBrowserStreams = NamedDependency[SkipValidation[BrowserStreams]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependencies:
    services: Services
    new_id: Callable[[], UUID]
    cookie_jar: CookieJar
    submit: Submit
    admit_run: AdmitRun
    problems: ReadProblems
    catalogue: ReadCatalogue
    submissions: ReadSubmissions
    contests: ReadContests
    boards: ReadBoards
    statistics: ReadStatistics
    quotas: ReadQuotas
    site: ReadSite
    limits: DoorLimits
    list_languages: ListLanguages
    dead_letters: ReadDeadLetters
    problem_revisions: ReadProblemRevisions
    count_rejudge: CountRejudge
    preview_rejudge: PreviewRejudge
    replay: ReplaySubmission
    get_health: GetHealth
    now: ReadNow
    now_streams: NowStreams
    submission_streams: SubmissionStreams
    board_streams: BoardStreams
    browser_streams: BrowserStreams

    def provided(self) -> dict[str, Provide]:
        constants = {name: _constant(getattr(self, name)) for name in self.__slots__}
        return {"caller": Provide(caller_of, sync_to_thread=False), **constants}


def _constant(value: object) -> Provide:
    return Provide(lambda: value, sync_to_thread=False, use_cache=True)
