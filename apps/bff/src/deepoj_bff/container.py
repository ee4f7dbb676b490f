"""The composition root: the only place that constructs."""

from __future__ import annotations

import asyncio
from functools import partial

import grpc
from dependency_injector import containers, providers
from redis.asyncio import Redis

from deepoj_bff.commands.admit_run import AdmitRun
from deepoj_bff.commands.admit_submission import AdmitSubmission
from deepoj_bff.commands.entrance import Entrance
from deepoj_bff.inbound.http.access_tokens import AccessTokens
from deepoj_bff.inbound.http.api_tokens import ApiTokens
from deepoj_bff.inbound.http.app import CALLS, Parts, is_https, make_app, make_edge
from deepoj_bff.inbound.http.authorise import Authorise
from deepoj_bff.inbound.http.board_pages import BoardPages
from deepoj_bff.inbound.http.cookies import CookieJar
from deepoj_bff.inbound.http.credentials import Credentials
from deepoj_bff.inbound.http.fast_lane import FastLane
from deepoj_bff.inbound.http.live import OpenStreams, is_passing
from deepoj_bff.inbound.http.live_contests import LiveContests
from deepoj_bff.inbound.http.live_submissions import LiveSubmissions
from deepoj_bff.inbound.http.problem_pages import ProblemPages
from deepoj_bff.inbound.http.server import HttpServer
from deepoj_bff.inbound.http.statistics import Statistics
from deepoj_bff.inbound.http.submission_views import SubmissionViews
from deepoj_bff.inbound.http.submitting import Submitting
from deepoj_bff.inbound.stream.follower import Follower, Listener
from deepoj_bff.inbound.stream.on_account_changed import OnAccountChanged
from deepoj_bff.inbound.stream.on_question_changed import OnQuestionChanged
from deepoj_bff.inbound.stream.on_submission_changed import OnSubmissionChanged
from deepoj_bff.outbound.grpc.load import GrpcLoad
from deepoj_bff.outbound.grpc.probe import GrpcProbe
from deepoj_bff.outbound.grpc.services import SERVICES, GrpcServices, idempotent
from deepoj_bff.outbound.grpc.submits import SubmitsTogether
from deepoj_bff.outbound.redis.buckets import RedisBuckets
from deepoj_bff.outbound.redis.presence import RedisPresence
from deepoj_bff.outbound.redis.shared_cache import RedisSharedCache
from deepoj_bff.outbound.system import WatchedSystem
from deepoj_bff.outbound.telemetry import instruments
from deepoj_bff.queries.board_feed import BoardFeeds
from deepoj_bff.queries.cache import Cache, Lifetimes, Shared
from deepoj_bff.queries.feed import Feed
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.queries.revisions import Revisions
from deepoj_bff.queries.standing import Standing
from deepoj_bff.settings import BffSettings
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


def _redis(settings: BffSettings) -> Redis:
    return connect_redis(settings.redis_url.reveal())


def _channels(settings: BffSettings) -> dict[str, grpc.aio.Channel]:
    addresses = {name: getattr(settings, f"{name}_address") for name in SERVICES}
    return {
        name: connect(address, settings.service_token, idempotent=idempotent(name), max_message=BATCH_MESSAGE)
        for name, address in addresses.items()
    }


def _probes(channels: dict[str, grpc.aio.Channel]) -> dict[str, GrpcProbe]:
    return {name: GrpcProbe(channel) for name, channel in channels.items()}


def _services(channels: dict[str, grpc.aio.Channel]) -> GrpcServices:
    services = GrpcServices(channels, {("record", "Submit"): SubmitsTogether(channels["record"])})
    services.prepare(CALLS)
    return services


def _cache(name: str, lifetimes: Lifetimes, shared: Shared | None) -> Cache:
    return Cache(lifetimes, shared, partial(instruments.cache, name))


def _follower(redis: Redis, env: str, **listeners: Listener) -> Follower:
    return Follower(redis, {f"deepoj:{env}:events:{name}": each for name, each in listeners.items()})


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

    revisions = providers.Singleton(Revisions)
    standing = providers.Singleton(Standing)
    shared = providers.Singleton(RedisSharedCache, redis, providers.Callable(_prefix, env, "cache"))
    problem_pages = providers.Singleton(
        ProblemPages,
        services,
        revisions,
        providers.Singleton(_cache, "problem_item", ITEMS, shared),
        providers.Singleton(_cache, "problem_list", LISTS, shared),
        providers.Singleton(_cache, "problem_search", LISTS, None),
    )
    submission_views = providers.Singleton(
        SubmissionViews, services, providers.Singleton(_cache, "submission_status", STATUS, None)
    )

    open_streams = providers.Singleton(
        OpenStreams, settings.provided.stream_terms.call(), instruments.open_streams
    )
    feed = providers.Singleton(Feed)
    live_submissions = providers.Singleton(
        LiveSubmissions, services, submission_views, feed, open_streams, instruments.dropped_stream
    )
    board_feeds = providers.Singleton(
        BoardFeeds, is_passing, providers.Object(partial(asyncio.sleep, _BOARD_PAUSE))
    )
    live_contests = providers.Singleton(
        LiveContests, services, board_feeds, open_streams, instruments.dropped_stream
    )
    board_pages = providers.Singleton(
        BoardPages, services, providers.Singleton(_cache, "board", BOARDS, None)
    )
    follower = providers.Singleton(
        _follower,
        events_redis,
        env,
        submission=providers.Singleton(OnSubmissionChanged, feed, submission_views.provided.forget),
        question=providers.Singleton(OnQuestionChanged, revisions),
        user=providers.Singleton(OnAccountChanged, standing),
    )

    buckets = providers.Singleton(RedisBuckets, redis, providers.Callable(_prefix, env, "bucket"))
    load = providers.Singleton(GrpcLoad, services)
    presence = providers.Singleton(RedisPresence, redis, env, system_clock)
    system = providers.Singleton(WatchedSystem, load.provided.waiting, presence.provided.alive)
    admit_submission = providers.Singleton(
        AdmitSubmission,
        providers.Singleton(
            Entrance, "submit", settings.provided.submission_limits.call(), system, buckets, system_clock
        ),
        load,
        partial(instruments.admission, "submission"),
    )
    admit_run = providers.Singleton(
        AdmitRun,
        providers.Singleton(
            Entrance, "run", settings.provided.run_limits.call(), system, buckets, system_clock
        ),
        partial(instruments.admission, "run"),
    )

    access_tokens = providers.Singleton(AccessTokens, services, standing)
    credentials = providers.Singleton(
        Credentials,
        access_tokens,
        providers.Singleton(ApiTokens, services, standing),
        standing,
        settings.provided.proxies.call(),
    )
    authorise = providers.Singleton(Authorise, credentials, settings.provided.public_url)
    https = providers.Callable(is_https, settings.provided.public_url)
    new_id = providers.Object(Uuid7())
    parts = providers.Singleton(
        Parts,
        services=services,
        get_health=providers.Singleton(GetHealth, providers.Singleton(_probes, channels)),
        new_id=new_id,
        cookie_jar=providers.Singleton(CookieJar, https),
        problem_pages=problem_pages,
        language_cache=providers.Singleton(_cache, "language", LANGUAGES, shared),
        submission_views=submission_views,
        live_submissions=live_submissions,
        live_contests=live_contests,
        board_pages=board_pages,
        statistics=providers.Singleton(
            Statistics, services, providers.Singleton(_cache, "statistics", STATISTICS, None), system_clock
        ),
        submitting=providers.Singleton(Submitting, services, admit_submission, new_id),
        admit_submission=admit_submission,
        admit_run=admit_run,
    )
    app = providers.Singleton(make_app, parts, authorise, settings.provided.body_limit)
    fast_lane = providers.Singleton(FastLane, app, access_tokens, problem_pages)
    edge = providers.Singleton(make_edge, fast_lane, settings.provided.public_url)
    http_server = providers.Singleton(
        HttpServer, edge, settings.provided.listen, settings.provided.http_grace
    )
