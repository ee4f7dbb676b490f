"""The composition root: the only place that constructs."""

from __future__ import annotations

from datetime import timedelta

from dependency_injector import containers, providers

from deepoj_domain.streams import Streams
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import BATCH_MESSAGE, Server
from deepoj_kit.grpc import connect as connect_grpc
from deepoj_kit.grpc.guests import Guests, KnownGuests
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Process
from deepoj_kit.objects import ObjectStore
from deepoj_kit.outbox import Outbox, OutboxPublisher, Relay, StreamGuard
from deepoj_kit.postgres import Database, Notifier
from deepoj_kit.streams import connect as connect_redis
from deepoj_languages.table import language_table
from deepoj_record.commands.advance_rejudge import AdvanceRejudge, ContinueRejudges
from deepoj_record.commands.cancel import Cancel
from deepoj_record.commands.claim import Claim, GrantAttempt, Reclaim
from deepoj_record.commands.close_rejudge import CloseRejudge, apply, discard
from deepoj_record.commands.drains import DrainWorker, ListDrains, ResumeWorker
from deepoj_record.commands.finalize import Finalize
from deepoj_record.commands.heartbeat import Heartbeat
from deepoj_record.commands.judge_hosts import IdentifyHost, InviteHost, RevokeHost, SharedUser
from deepoj_record.commands.may_rejudge import MayRejudge
from deepoj_record.commands.ports import Step
from deepoj_record.commands.redispatch import Redispatch
from deepoj_record.commands.replay_dead_letter import ReplayDeadLetter
from deepoj_record.commands.replay_dead_letters import ReplayDeadLetters
from deepoj_record.commands.report_failure import ReportFailure
from deepoj_record.commands.reproductions import (
    PATIENCE,
    AnswerReproduction,
    GetReproduction,
    StartReproduction,
)
from deepoj_record.commands.start_rejudge import StartRejudge
from deepoj_record.commands.submit import Submit
from deepoj_record.commands.sweep_logs import SweepLogs
from deepoj_record.commands.transition import Transition
from deepoj_record.inbound.grpc.count_calls import CountUseCases, MarkUseCases
from deepoj_record.inbound.grpc.host_calls import HostUseCases
from deepoj_record.inbound.grpc.record_servicer import RecordServicer
from deepoj_record.inbound.grpc.refusals import translate
from deepoj_record.inbound.grpc.rejudge_calls import RejudgeUseCases
from deepoj_record.inbound.grpc.submission_calls import SubmissionUseCases
from deepoj_record.inbound.grpc.worker_servicer import FOR_HOSTS, WorkerServicer, WorkerUseCases
from deepoj_record.inbound.periodic import Measure, Sweep
from deepoj_record.outbound.grpc import game
from deepoj_record.outbound.grpc.fleet import GrpcFleet
from deepoj_record.outbound.grpc.languages import GrpcLanguages
from deepoj_record.outbound.grpc.question import GrpcCatalogue, GrpcQuestionRules, GrpcSamples
from deepoj_record.outbound.journal import TelemetryJournal
from deepoj_record.outbound.objects.log_files import ObjectLogFiles
from deepoj_record.outbound.objects.logs import ObjectLogs
from deepoj_record.outbound.postgres.drains import PostgresDrains
from deepoj_record.outbound.postgres.game_log import PostgresGameLog
from deepoj_record.outbound.postgres.judge_hosts import PostgresJudgeHosts
from deepoj_record.outbound.postgres.outbox import Messages, NotifyRelay, PublishHere, WakeRelay, retention
from deepoj_record.outbound.postgres.queue_reader import PostgresOverdue, PostgresQueues, PostgresWorkload
from deepoj_record.outbound.postgres.rejudge_reader import PostgresRejudgeReader
from deepoj_record.outbound.postgres.rejudge_repository import PostgresRejudges
from deepoj_record.outbound.postgres.reproductions import PostgresReproductions
from deepoj_record.outbound.postgres.submission_counts import PostgresCounts, PostgresMarks
from deepoj_record.outbound.postgres.submission_reader import (
    PostgresKnownSubmissions,
    PostgresSubmissionReader,
)
from deepoj_record.outbound.postgres.submission_repository import PostgresSubmissions
from deepoj_record.outbound.postgres.submission_statements import mark_dispatched
from deepoj_record.outbound.postgres.tables import OUTBOX
from deepoj_record.outbound.redis.host_users import RedisHostUsers
from deepoj_record.outbound.redis.job_queue import RedisQueue
from deepoj_record.outbound.store_probe import StoreProbe
from deepoj_record.queries.access import Neighbours
from deepoj_record.queries.counts import (
    CountByDay,
    CountByQuestion,
    CountByRevision,
    CountPassed,
    LoadOfAccount,
)
from deepoj_record.queries.explain import Explain
from deepoj_record.queries.get import BestRecord, Get
from deepoj_record.queries.join_host import JoinHost
from deepoj_record.queries.list import List
from deepoj_record.queries.marks import CountPeople, ListMarks, ListSolvers
from deepoj_record.queries.orders import GetOrders
from deepoj_record.queries.read_game import ReadGame
from deepoj_record.queries.read_log import ReadLog
from deepoj_record.queries.rejudges import (
    CountRejudge,
    ListDeadLetterGroups,
    ListDeadLetters,
    ListRejudges,
    PreviewRejudge,
)
from deepoj_record.queries.workload import GetWorkload, ListAttempts, QueueStats
from deepoj_record.settings import RecordSettings

_ASK_AGAIN = tuple(f"/deepoj.question.v1.QuestionService/{call}" for call in ("Get", "GetJudgeSpec"))


def _users_choice(settings: RecordSettings) -> str:
    return "own" if settings.hosts_redis_own else "shared"


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=RecordSettings)
    process = providers.Dependency(instance_of=Process)
    role = providers.Dependency(instance_of=str)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)
    judging_policy = settings.provided.judging_policy.call()

    # Stores.
    database = providers.Singleton(Database.from_settings, settings, "deepoj_record", by_index=True)
    object_store = providers.Singleton(ObjectStore.from_settings, settings)
    logs = providers.Singleton(ObjectLogs, object_store, clock)
    sweep_logs = providers.Singleton(
        SweepLogs,
        providers.Singleton(ObjectLogFiles, object_store),
        providers.Singleton(PostgresKnownSubmissions, database),
        clock,
    )
    redis = providers.Singleton(
        connect_redis, settings.provided.redis_url.reveal.call(), settings.provided.tls_files
    )
    streams = providers.Singleton(Streams, settings.provided.env)
    retention = providers.Singleton(retention, streams)
    question_channel = providers.Singleton(
        connect_grpc,
        settings.provided.question_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        idempotent=_ASK_AGAIN,
        max_message=BATCH_MESSAGE,
    )
    game_channel = providers.Singleton(
        connect_grpc,
        settings.provided.game_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        idempotent=providers.Object(game.IDEMPOTENT),
    )
    judgement_channel = providers.Singleton(
        connect_grpc,
        settings.provided.judgement_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
    )

    # The way of a message from a transaction to its stream.
    outbox = providers.Singleton(
        Outbox,
        providers.Object(OUTBOX),
        clock=clock,
        new_id=new_id,
        head_start=providers.Selector(
            role,
            serve=settings.provided.outbox_head_start,
            relay=providers.Object(timedelta(0)),
            watchdog=providers.Object(timedelta(0)),
        ),
    )
    publisher = providers.Singleton(
        OutboxPublisher, outbox, database, redis, clock=clock,
        retention=retention, on_delivered=providers.Object(mark_dispatched),
    )  # fmt: skip
    relay = providers.Singleton(
        Relay, outbox, database, redis, clock=clock,
        retention=retention, on_delivered=providers.Object(mark_dispatched),
    )  # fmt: skip
    guard = providers.Singleton(
        StreamGuard, outbox, database, redis, clock=clock,
        retention=retention, on_lost=relay.provided.wake.set,
    )  # fmt: skip
    notifier = providers.Singleton(Notifier, database, outbox.provided.channel)
    publish = providers.Selector(
        role,
        serve=providers.Singleton(PublishHere, publisher, notifier, clock),
        relay=providers.Singleton(WakeRelay, relay),
        watchdog=providers.Singleton(NotifyRelay, notifier),
    )

    # Adapters.
    messages = providers.Singleton(Messages, outbox, streams)
    submissions = providers.Singleton(PostgresSubmissions, database, messages, publish)
    rejudges = providers.Singleton(PostgresRejudges, database, messages, publish)
    submission_reader = providers.Singleton(PostgresSubmissionReader, database)
    queues = providers.Singleton(PostgresQueues, database)
    counts = providers.Singleton(PostgresCounts, database)
    rejudge_reader = providers.Singleton(PostgresRejudgeReader, database)
    catalogue = providers.Singleton(GrpcCatalogue, question_channel)
    games = providers.Singleton(game.GrpcGames, game_channel, clock)
    question_rules = providers.Singleton(GrpcQuestionRules, question_channel, clock)
    neighbours = providers.Singleton(Neighbours, games, question_rules)
    languages = providers.Singleton(GrpcLanguages, judgement_channel, providers.Callable(language_table))
    fleet = providers.Singleton(GrpcFleet, judgement_channel)
    samples = providers.Singleton(GrpcSamples, question_channel)
    journal = providers.Singleton(TelemetryJournal)

    # Use cases.
    transition = providers.Singleton(Transition, submissions, journal)
    grant = providers.Singleton(GrantAttempt, transition, submissions, judging_policy, clock)
    queue_stats = providers.Singleton(QueueStats, queues, clock)
    submission_use_cases = providers.Singleton(
        SubmissionUseCases,
        submit=providers.Singleton(
            Submit,
            submissions,
            catalogue,
            languages,
            games,
            journal,
            settings.provided.submit_policy.call(),
            clock,
        ),
        cancel=providers.Singleton(Cancel, transition, clock),
        get=providers.Singleton(Get, submission_reader, neighbours, samples),
        list=providers.Singleton(List, submission_reader, neighbours, games),
        read_log=providers.Singleton(ReadLog, submission_reader, neighbours, samples, logs),
        explain=providers.Singleton(Explain, submission_reader, neighbours, queues, languages, fleet, clock),
    )
    may_rejudge = providers.Singleton(MayRejudge, games)
    advance_rejudge = providers.Singleton(AdvanceRejudge, rejudges, catalogue, journal, clock, new_id)
    continue_rejudges = providers.Singleton(ContinueRejudges, rejudges, advance_rejudge, clock)
    replay_dead_letter = providers.Singleton(ReplayDeadLetter, submissions, rejudges, journal, clock)
    rejudge_use_cases = providers.Singleton(
        RejudgeUseCases,
        start=providers.Singleton(
            StartRejudge, rejudges, may_rejudge, advance_rejudge, journal, clock,
            limit=settings.provided.rejudge_limit, allowance=settings.provided.rejudge_allowance,
        ),
        preview=providers.Singleton(PreviewRejudge, rejudge_reader, neighbours),
        apply=providers.Singleton(
            CloseRejudge, Step.APPLY_REJUDGE, providers.Object(apply), rejudges, may_rejudge, advance_rejudge,
            journal, clock,
        ),
        discard=providers.Singleton(
            CloseRejudge, Step.DISCARD_REJUDGE, providers.Object(discard), rejudges, may_rejudge,
            advance_rejudge, journal, clock,
        ),
        list=providers.Singleton(ListRejudges, rejudge_reader, neighbours),
        count=providers.Singleton(CountRejudge, rejudge_reader, neighbours),
        dead_letters=providers.Singleton(ListDeadLetters, rejudge_reader),
        dead_letter_groups=providers.Singleton(ListDeadLetterGroups, rejudge_reader),
        replay=replay_dead_letter,
        replay_many=providers.Singleton(ReplayDeadLetters, replay_dead_letter, rejudge_reader, new_id),
    )  # fmt: skip
    workload = providers.Singleton(PostgresWorkload, database)
    count_use_cases = providers.Singleton(
        CountUseCases,
        queue_stats=queue_stats,
        best=providers.Singleton(BestRecord, submission_reader, neighbours, games),
        passed=providers.Singleton(CountPassed, counts, games, question_rules),
        by_question=providers.Singleton(CountByQuestion, counts, games),
        by_revision=providers.Singleton(CountByRevision, counts, games, question_rules),
        by_day=providers.Singleton(CountByDay, counts, games, question_rules),
        load=providers.Singleton(LoadOfAccount, counts, clock),
        workload=providers.Singleton(
            GetWorkload,
            workload,
            providers.Singleton(StoreProbe, "redis", redis.provided.ping),
            providers.Singleton(StoreProbe, "objects", object_store.provided.check),
            clock,
        ),
        attempts=providers.Singleton(ListAttempts, workload, clock),
        read_game=providers.Singleton(ReadGame, providers.Singleton(PostgresGameLog, database)),
    )
    marks = providers.Singleton(PostgresMarks, database)
    mark_use_cases = providers.Singleton(
        MarkUseCases,
        people=providers.Singleton(CountPeople, marks, games, question_rules),
        solvers=providers.Singleton(ListSolvers, marks, games, question_rules),
        marks=providers.Singleton(ListMarks, marks, games, question_rules),
    )
    judge_hosts = providers.Singleton(PostgresJudgeHosts, database)
    identify_host = providers.Singleton(IdentifyHost, judge_hosts)
    hosts_redis = providers.Singleton(
        connect_redis, settings.provided.hosts_admin_url, settings.provided.tls_files
    )
    host_users = providers.Selector(
        providers.Callable(_users_choice, settings),
        own=providers.Singleton(RedisHostUsers, hosts_redis, settings.provided.env),
        shared=providers.Singleton(SharedUser),
    )
    invite_host = providers.Singleton(InviteHost, judge_hosts, clock, host_users)
    revoke_host = providers.Singleton(RevokeHost, judge_hosts, clock, host_users)
    drains = providers.Singleton(PostgresDrains, database)
    reproductions = providers.Singleton(PostgresReproductions, database)
    guests = providers.Singleton(
        Guests,
        providers.Object(FOR_HOSTS),
        providers.Singleton(KnownGuests, identify_host, clock),
    )
    worker_use_cases = providers.Singleton(
        WorkerUseCases,
        terms=judging_policy.terms,
        claim=providers.Singleton(Claim, grant),
        reclaim=providers.Singleton(Reclaim, grant),
        heartbeat=providers.Singleton(Heartbeat, transition, judging_policy.terms, clock),
        finalize=providers.Singleton(Finalize, transition, clock),
        report_failure=providers.Singleton(ReportFailure, transition, judging_policy.retries, clock),
        orders=providers.Singleton(GetOrders, drains, reproductions, providers.Object(PATIENCE), clock),
        answer=providers.Singleton(AnswerReproduction, reproductions, clock),
        identify_host=identify_host,
    )

    # What drives them.
    record_servicer = providers.Singleton(
        RecordServicer,
        submission_use_cases,
        rejudge_use_cases,
        count_use_cases,
        mark_use_cases,
        providers.Singleton(
            HostUseCases,
            join=providers.Singleton(JoinHost, identify_host, settings.provided.host_settings),
            drain=providers.Singleton(DrainWorker, drains, clock),
            resume=providers.Singleton(ResumeWorker, drains),
            drains=providers.Singleton(ListDrains, drains),
            start_reproduction=providers.Singleton(StartReproduction, reproductions, clock),
            reproduction=providers.Singleton(GetReproduction, reproductions, clock),
        ),
    )
    worker_servicer = providers.Singleton(WorkerServicer, worker_use_cases)
    server = providers.Singleton(
        Server.for_process,
        settings,
        process.provided.readiness,
        translate=providers.Object(translate),
        max_message=BATCH_MESSAGE,
    )
    sweep = providers.Singleton(
        Sweep,
        providers.Singleton(
            Redispatch,
            transition,
            providers.Singleton(PostgresOverdue, database),
            providers.Singleton(RedisQueue, redis, settings.provided.job_group),
            judging_policy,
            clock,
            patience=settings.provided.patience,
        ),
    )
    measure = providers.Singleton(Measure, queue_stats)
