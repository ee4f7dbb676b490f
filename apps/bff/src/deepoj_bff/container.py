"""The composition root: the only place that constructs."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable

import grpc
from dependency_injector import containers, providers
from redis.asyncio import Redis

from deepoj_bff.commands.admission_gate import AdmissionGate
from deepoj_bff.commands.admit_run import AdmitRun
from deepoj_bff.commands.submit import Submit
from deepoj_bff.inbound.http.access_log import AccessLog
from deepoj_bff.inbound.http.app import make_app
from deepoj_bff.inbound.http.auth.access_tokens import AccessTokens
from deepoj_bff.inbound.http.auth.api_tokens import ApiTokens
from deepoj_bff.inbound.http.auth.cookies import CookieJar
from deepoj_bff.inbound.http.auth.credentials import Credentials
from deepoj_bff.inbound.http.auth.guard import Guard
from deepoj_bff.inbound.http.cached_problems import CachedProblems
from deepoj_bff.inbound.http.compressed_answers import CompressedAnswers
from deepoj_bff.inbound.http.dependencies import Dependencies
from deepoj_bff.inbound.http.errors import is_passing
from deepoj_bff.inbound.http.pages.page import Reads
from deepoj_bff.inbound.http.pages.public_pages import PublicPages, Sheets
from deepoj_bff.inbound.http.server import HttpServer
from deepoj_bff.inbound.http.site_pages import SitePages, load_site
from deepoj_bff.inbound.http.sse.board_feed import BoardFeeds
from deepoj_bff.inbound.http.sse.board_streams import BoardStreams
from deepoj_bff.inbound.http.sse.browser_streams import BrowserStreams
from deepoj_bff.inbound.http.sse.now_streams import NowStreams
from deepoj_bff.inbound.http.sse.open_streams import OpenStreams
from deepoj_bff.inbound.http.sse.submission_feed import SubmissionFeed
from deepoj_bff.inbound.http.sse.submission_streams import SubmissionStreams
from deepoj_bff.inbound.stream.event_reader import EventReader, Listener
from deepoj_bff.inbound.stream.on_account_changed import OnAccountChanged
from deepoj_bff.inbound.stream.on_question_changed import OnQuestionChanged
from deepoj_bff.inbound.stream.on_submission import OnProgress, OnSubmissionChanged
from deepoj_bff.outbound.answer_cache import AnswerCache, Lifetimes, RedisSharedCache, Shared
from deepoj_bff.outbound.grpc.judge_documents import read_manifest, read_result
from deepoj_bff.outbound.grpc.probe import GrpcProbe
from deepoj_bff.outbound.grpc.services import SERVICES, GrpcServices, idempotent
from deepoj_bff.outbound.grpc.submit_batches import SubmitBatches
from deepoj_bff.outbound.redis.token_buckets import RedisTokenBuckets
from deepoj_bff.outbound.system_load import (
    RecentAccountLoads,
    RecentSystemState,
    RecordLoad,
    RedisLiveWorkers,
)
from deepoj_bff.outbound.telemetry import instruments
from deepoj_bff.queries.boards import ReadBoards
from deepoj_bff.queries.catalogue import ReadCatalogue
from deepoj_bff.queries.contests import ReadContests
from deepoj_bff.queries.count_rejudge import CountRejudge
from deepoj_bff.queries.dead_letters import ReadDeadLetters
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.queries.languages import ListLanguages
from deepoj_bff.queries.names import Names
from deepoj_bff.queries.now import ReadNow
from deepoj_bff.queries.preview_rejudge import PreviewRejudge
from deepoj_bff.queries.problem_revisions import ReadProblemRevisions
from deepoj_bff.queries.problems import ReadProblems
from deepoj_bff.queries.projections.revisions import Revisions
from deepoj_bff.queries.projections.revoked_credentials import RevokedCredentials
from deepoj_bff.queries.quotas import ReadQuotas
from deepoj_bff.queries.replay import ReplaySubmission
from deepoj_bff.queries.services import declared_calls
from deepoj_bff.queries.site import ReadSite
from deepoj_bff.queries.statistics import ReadStatistics
from deepoj_bff.queries.submissions import NameSubmissions, ReadSubmissions
from deepoj_bff.settings import BffSettings
from deepoj_domain.streams import Streams
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import BATCH_MESSAGE, connect
from deepoj_kit.ids import Uuid7
from deepoj_kit.streams import connect as connect_redis

_HOUR = 3600.0
ITEMS = Lifetimes(fresh=_HOUR, stale=_HOUR)
LISTS = Lifetimes(fresh=600.0, stale=600.0)
LANGUAGES = Lifetimes(fresh=5.0, stale=60.0)
# Not more than five seconds in all: a verdict is never older, even when its event is lost.
STATUS = Lifetimes(fresh=2.0, stale=0.0, negative=0.0)
STATISTICS = Lifetimes(fresh=30.0, stale=120.0)
BOARDS = Lifetimes(fresh=1.0, stale=1.0, negative=1.0)
# Before a board that broke off is read again.
_BOARD_PAUSE = 0.5


# Longer than a run may take.
_RUN_LEASE = timedelta(minutes=2)


def _redis(settings: BffSettings) -> Redis:
    return connect_redis(settings.redis_url.reveal(), settings.tls_files)


def _channels(settings: BffSettings) -> dict[str, grpc.aio.Channel]:
    addresses = {name: getattr(settings, f"{name}_address") for name in SERVICES}
    return {
        name: connect(
            address,
            settings.service_token,
            tls=settings.tls_files,
            idempotent=idempotent(name),
            max_message=BATCH_MESSAGE,
            peer=name,
        )
        for name, address in addresses.items()
    }


def _probes(channels: dict[str, grpc.aio.Channel]) -> dict[str, GrpcProbe]:
    return {name: GrpcProbe(channel) for name, channel in channels.items()}


def _services(channels: dict[str, grpc.aio.Channel]) -> GrpcServices:
    services = GrpcServices(channels)
    services.prepare(declared_calls())
    return services


def _cache(name: str, lifetimes: Lifetimes, shared: Shared | None) -> AnswerCache:
    return AnswerCache(lifetimes, shared, partial(instruments.cache, name))


def _is_https(public_url: str | None) -> bool:
    return public_url is not None and public_url.startswith("https://")


def _built() -> Traversable:
    return files("deepoj_bff.inbound.http") / "site"


def _event_reader(
    redis: Redis, env: str, submission: Listener, question: Listener, account: Listener, progress: Listener
) -> EventReader:
    streams = Streams(env)
    listeners = {
        streams.submission_events: submission,
        streams.question_events: question,
        streams.account_events: account,
        streams.progress: progress,
    }
    return EventReader(redis, listeners)


def _prefix(env: str, part: str) -> str:
    return f"deepoj:{env}:bff:{part}:"


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=BffSettings)
    env = settings.provided.env
    redis = providers.Singleton(_redis, settings)
    # Blocking reads hold a connection of their own.
    events_redis = providers.Singleton(_redis, settings)
    channels = providers.Singleton(_channels, settings)
    services = providers.Singleton(_services, channels)

    # What events tell.
    revisions = providers.Singleton(Revisions)
    revoked = providers.Singleton(RevokedCredentials)
    submission_feed = providers.Singleton(SubmissionFeed)

    # Queries.
    shared = providers.Singleton(RedisSharedCache, redis, providers.Callable(_prefix, env, "cache"))
    problems = providers.Singleton(
        ReadProblems,
        services,
        revisions,
        providers.Singleton(_cache, "problem_item", ITEMS, shared),
        providers.Singleton(_cache, "problem_list", LISTS, shared),
        providers.Singleton(_cache, "problem_search", LISTS, None),
    )
    catalogue = providers.Singleton(
        ReadCatalogue, services, problems, providers.Singleton(_cache, "problem_people", STATISTICS, None)
    )
    names = providers.Singleton(Names, services)
    submissions = providers.Singleton(
        ReadSubmissions,
        services,
        providers.Singleton(_cache, "submission_status", STATUS, None),
        providers.Singleton(NameSubmissions, names),
    )
    contests = providers.Singleton(
        ReadContests, services, providers.Singleton(_cache, "contest", BOARDS, None)
    )
    boards = providers.Singleton(ReadBoards, services, providers.Singleton(_cache, "board", BOARDS, None))
    statistics = providers.Singleton(
        ReadStatistics, services, providers.Singleton(_cache, "statistics", STATISTICS, None), system_clock
    )
    list_languages = providers.Singleton(
        ListLanguages, services, providers.Singleton(_cache, "language", LANGUAGES, shared)
    )
    site_terms = settings.provided.site_terms.call()
    read_site = providers.Singleton(ReadSite, services, site_terms, system_clock)
    get_health = providers.Singleton(GetHealth, providers.Singleton(_probes, channels))

    now = providers.Singleton(ReadNow, services, get_health, providers.Singleton(_cache, "now", STATUS, None))

    # Admission and submitting.
    token_buckets = providers.Singleton(RedisTokenBuckets, redis, providers.Callable(_prefix, env, "bucket"))
    record_load = providers.Singleton(RecordLoad, services)
    live_workers = providers.Singleton(RedisLiveWorkers, redis, env, system_clock)
    system = providers.Singleton(RecentSystemState, record_load.provided.waiting, live_workers.provided.count)
    submission_limits = settings.provided.submission_limits.call()
    quotas = providers.Singleton(ReadQuotas, submission_limits, record_load, system)
    new_id = providers.Object(Uuid7())
    submit_batches = providers.Singleton(SubmitBatches, channels.provided["record"])
    submit = providers.Singleton(
        Submit,
        providers.Singleton(AdmissionGate, "submit", submission_limits, system, token_buckets, system_clock),
        providers.Singleton(RecentAccountLoads, record_load, system_clock),
        submit_batches,
        new_id,
        partial(instruments.admission, "submission"),
    )
    admit_run = providers.Singleton(
        AdmitRun,
        providers.Singleton(
            AdmissionGate,
            "run",
            settings.provided.run_limits.call(),
            system,
            token_buckets,
            system_clock,
            _RUN_LEASE,
        ),
        partial(instruments.admission, "run"),
    )

    # Inbound.
    open_streams = providers.Singleton(
        OpenStreams, settings.provided.stream_terms.call(), instruments.open_streams
    )
    submission_streams = providers.Singleton(
        SubmissionStreams, submissions, submission_feed, open_streams, instruments.dropped_stream
    )
    board_feeds = providers.Singleton(
        BoardFeeds, is_passing, providers.Object(partial(asyncio.sleep, _BOARD_PAUSE))
    )
    board_streams = providers.Singleton(
        BoardStreams, services, boards, board_feeds, open_streams, instruments.dropped_stream
    )
    event_reader = providers.Singleton(
        _event_reader,
        events_redis,
        env,
        submission=providers.Singleton(OnSubmissionChanged, submission_feed, submissions.provided.forget),
        question=providers.Singleton(OnQuestionChanged, revisions),
        account=providers.Singleton(OnAccountChanged, revoked),
        progress=providers.Singleton(OnProgress, submission_feed),
    )
    access_tokens = providers.Singleton(AccessTokens, services, revoked)
    credentials = providers.Singleton(
        Credentials,
        access_tokens,
        providers.Singleton(ApiTokens, services, revoked),
        revoked,
        settings.provided.proxies.call(),
    )
    guard = providers.Singleton(Guard, credentials, settings.provided.public_url)
    https = providers.Callable(_is_https, settings.provided.public_url)
    route_dependencies = providers.Singleton(
        Dependencies,
        services=services,
        new_id=new_id,
        cookie_jar=providers.Singleton(CookieJar, https),
        submit=submit,
        admit_run=admit_run,
        problems=problems,
        catalogue=catalogue,
        submissions=submissions,
        contests=contests,
        boards=boards,
        statistics=statistics,
        quotas=quotas,
        site=read_site,
        limits=settings.provided.limits.call(),
        list_languages=list_languages,
        dead_letters=providers.Singleton(ReadDeadLetters, services, names),
        problem_revisions=providers.Singleton(ReadProblemRevisions, services),
        count_rejudge=providers.Singleton(CountRejudge, services),
        preview_rejudge=providers.Singleton(PreviewRejudge, services, names),
        replay=providers.Singleton(
            ReplaySubmission,
            services,
            providers.Object(read_result),
            providers.Object(read_manifest),
            new_id,
        ),
        get_health=get_health,
        now=now,
        now_streams=providers.Singleton(NowStreams, now, submission_feed, open_streams),
        submission_streams=submission_streams,
        board_streams=board_streams,
        browser_streams=providers.Singleton(BrowserStreams, submission_streams, board_streams, open_streams),
    )
    # From the outside in: the access log, the site, compression, problems from the cache, the framework.
    app = providers.Singleton(make_app, route_dependencies, guard, settings.provided.body_limit)
    cached_problems = providers.Singleton(CachedProblems, app, access_tokens, problems)
    compressed = providers.Singleton(CompressedAnswers, cached_problems)
    built = providers.Callable(_built)
    site = providers.Singleton(load_site, built)
    page_reads = providers.Singleton(Reads, site_terms, catalogue, problems, contests, boards, list_languages)
    public_pages = providers.Singleton(PublicPages, providers.Singleton(Sheets.load, built), page_reads)
    site_pages = providers.Singleton(SitePages, compressed, site, public_pages)
    asgi = providers.Singleton(AccessLog, site_pages, https=https)
    http_server = providers.Singleton(
        HttpServer, asgi, settings.provided.listen, settings.provided.http_grace
    )
