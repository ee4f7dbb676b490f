"""The composition root: the only place that constructs."""

from __future__ import annotations

from datetime import timedelta

from dependency_injector import containers, providers
from sqlalchemy import MetaData

from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import BATCH_MESSAGE, Server
from deepoj_kit.grpc import connect as connect_grpc
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Process
from deepoj_kit.outbox import Outbox, OutboxPublisher, Relay, outbox_table
from deepoj_kit.postgres import Database, DatabaseOptions, Notifier
from deepoj_kit.streams import connect as connect_redis
from deepoj_record.commands.apply_rejudge import ApplyRejudge
from deepoj_record.commands.cancel import Cancel
from deepoj_record.commands.claim import Claim
from deepoj_record.commands.discard_rejudge import DiscardRejudge
from deepoj_record.commands.finalize import Finalize
from deepoj_record.commands.granting import Granting
from deepoj_record.commands.heartbeat import Heartbeat
from deepoj_record.commands.moving import Mover
from deepoj_record.commands.reclaim import Reclaim
from deepoj_record.commands.redispatch import Redispatch
from deepoj_record.commands.replay_dead_letter import ReplayDeadLetter
from deepoj_record.commands.report_failure import ReportFailure
from deepoj_record.commands.start_rejudge import StartRejudge
from deepoj_record.commands.submit import Submit
from deepoj_record.inbound.grpc.count_calls import CountUseCases
from deepoj_record.inbound.grpc.record_servicer import RecordServicer
from deepoj_record.inbound.grpc.refusals import translate
from deepoj_record.inbound.grpc.rejudge_calls import RejudgeUseCases
from deepoj_record.inbound.grpc.submission_calls import SubmissionUseCases
from deepoj_record.inbound.grpc.worker_servicer import WorkerServicer, WorkerUseCases
from deepoj_record.inbound.maintenance import Measure, Sweep
from deepoj_record.outbound.grpc import game
from deepoj_record.outbound.grpc.languages import GrpcLanguages
from deepoj_record.outbound.grpc.question import GrpcCatalogue
from deepoj_record.outbound.journal import TelemetryJournal
from deepoj_record.outbound.postgres.counts import PostgresCounts
from deepoj_record.outbound.postgres.dispatching import mark_dispatched
from deepoj_record.outbound.postgres.ledger import PostgresLedger
from deepoj_record.outbound.postgres.memory import Memory
from deepoj_record.outbound.postgres.messages import Messages
from deepoj_record.outbound.postgres.overdue import PostgresOverdue
from deepoj_record.outbound.postgres.publishing import NotifyRelay, PublishHere, WakeRelay
from deepoj_record.outbound.postgres.queues import PostgresQueues
from deepoj_record.outbound.postgres.rejudge_views import PostgresRejudgeViews
from deepoj_record.outbound.postgres.rejudges import PostgresRejudges
from deepoj_record.outbound.postgres.submissions import PostgresSubmissions
from deepoj_record.outbound.redis.catalogue import RememberedCatalogue
from deepoj_record.outbound.redis.changes import RedisChanges
from deepoj_record.outbound.redis.queue import RedisQueue
from deepoj_record.outbound.redis.streams import Streams
from deepoj_record.queries.best_record import BestRecord
from deepoj_record.queries.counts import CountByDay, CountByQuestion, CountPassed, LoadOfAccount
from deepoj_record.queries.explain import Explain
from deepoj_record.queries.get import Get
from deepoj_record.queries.list import List
from deepoj_record.queries.queue_stats import QueueStats
from deepoj_record.queries.rejudges import ListDeadLetters, ListRejudges, PreviewRejudge
from deepoj_record.queries.watch import Watch
from deepoj_record.settings import RecordSettings

_ASK_AGAIN = ("/deepoj.question.v1.QuestionService/Get",)


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=RecordSettings)
    process = providers.Dependency(instance_of=Process)
    role = providers.Dependency(instance_of=str)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)
    judging_policy = settings.provided.judging_policy.call()

    # Stores.
    database = providers.Singleton(
        Database,
        settings.provided.postgres_url.reveal.call(),
        providers.Factory(
            DatabaseOptions,
            application_name="deepoj_record",
            pool_max=settings.provided.postgres_connections,
            engine_max=settings.provided.postgres_connections,
            pool_by_index=True,
        ),
    )
    redis = providers.Singleton(connect_redis, settings.provided.redis_url.reveal.call())
    streams = providers.Singleton(Streams, settings.provided.env)
    questions = providers.Singleton(
        connect_grpc,
        settings.provided.question_address,
        settings.provided.service_token,
        idempotent=_ASK_AGAIN,
    )
    games = providers.Singleton(
        connect_grpc,
        settings.provided.game_address,
        settings.provided.service_token,
        idempotent=providers.Object(game.IDEMPOTENT),
    )
    judgement = providers.Singleton(
        connect_grpc, settings.provided.judgement_address, settings.provided.service_token
    )

    # The way of a message from a transaction to its stream.
    outbox = providers.Singleton(
        Outbox,
        outbox_table(MetaData(schema="record")),
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
        retention=streams.provided.retention.call(), on_delivered=providers.Object(mark_dispatched),
    )  # fmt: skip
    relay = providers.Singleton(
        Relay, outbox, database, redis, clock=clock,
        retention=streams.provided.retention.call(), on_delivered=providers.Object(mark_dispatched),
    )  # fmt: skip
    notifier = providers.Singleton(Notifier, database, outbox.provided.channel)
    changes = providers.Singleton(RedisChanges, redis, streams.provided.events)
    publish = providers.Selector(
        role,
        serve=providers.Singleton(PublishHere, publisher, changes, notifier, clock),
        relay=providers.Singleton(WakeRelay, relay),
        watchdog=providers.Singleton(NotifyRelay, notifier),
    )

    # Adapters.
    messages = providers.Singleton(Messages, outbox, streams)
    memory = providers.Singleton(Memory)
    ledger = providers.Singleton(PostgresLedger, database, messages, publish, memory)
    rejudges = providers.Singleton(PostgresRejudges, database, messages, publish)
    submissions = providers.Singleton(PostgresSubmissions, database, memory)
    queues = providers.Singleton(PostgresQueues, database)
    counts = providers.Singleton(PostgresCounts, database)
    rejudge_views = providers.Singleton(PostgresRejudgeViews, database)
    catalogue = providers.Singleton(
        RememberedCatalogue,
        providers.Singleton(GrpcCatalogue, questions),
        redis,
        streams.provided.question_events,
        clock,
    )
    entries = providers.Singleton(game.GrpcGames, games, clock)
    languages = providers.Singleton(GrpcLanguages, judgement, settings.provided.assumed_languages.call())
    journal = providers.Singleton(TelemetryJournal)

    # Use cases.
    mover = providers.Singleton(Mover, ledger, journal)
    granting = providers.Singleton(Granting, mover, ledger, judging_policy, clock)
    queue_stats = providers.Singleton(QueueStats, queues, clock)
    submission_use_cases = providers.Singleton(
        SubmissionUseCases,
        submit=providers.Singleton(
            Submit,
            ledger,
            catalogue,
            languages,
            entries,
            journal,
            settings.provided.submit_policy.call(),
            clock,
        ),
        cancel=providers.Singleton(Cancel, mover, clock),
        get=providers.Singleton(Get, submissions, entries),
        list=providers.Singleton(List, submissions, entries),
        watch=providers.Singleton(Watch, submissions, entries, changes),
        explain=providers.Singleton(Explain, submissions, entries, queues, clock),
    )
    rejudge_use_cases = providers.Singleton(
        RejudgeUseCases,
        start=providers.Singleton(
            StartRejudge, rejudges, catalogue, journal, clock, new_id,
            limit=settings.provided.rejudge_limit,
        ),
        preview=providers.Singleton(PreviewRejudge, rejudge_views),
        apply=providers.Singleton(ApplyRejudge, rejudges, journal, clock),
        discard=providers.Singleton(DiscardRejudge, rejudges, journal, clock),
        list=providers.Singleton(ListRejudges, rejudge_views),
        dead_letters=providers.Singleton(ListDeadLetters, rejudge_views),
        replay=providers.Singleton(ReplayDeadLetter, ledger, rejudges, journal, clock),
    )  # fmt: skip
    count_use_cases = providers.Singleton(
        CountUseCases,
        queue_stats=queue_stats,
        best=providers.Singleton(BestRecord, submissions, entries, entries),
        passed=providers.Singleton(CountPassed, counts, entries),
        by_question=providers.Singleton(CountByQuestion, counts, entries),
        by_day=providers.Singleton(CountByDay, counts, entries),
        load=providers.Singleton(LoadOfAccount, counts, clock),
    )
    worker_use_cases = providers.Singleton(
        WorkerUseCases,
        claim=providers.Singleton(Claim, granting),
        reclaim=providers.Singleton(Reclaim, granting),
        heartbeat=providers.Singleton(Heartbeat, mover, judging_policy.terms, clock),
        finalize=providers.Singleton(Finalize, mover, clock),
        report_failure=providers.Singleton(ReportFailure, mover, judging_policy.retries, clock),
    )

    # What drives them.
    record_servicer = providers.Singleton(
        RecordServicer, submission_use_cases, rejudge_use_cases, count_use_cases
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
            mover,
            providers.Singleton(PostgresOverdue, database),
            providers.Singleton(RedisQueue, redis, settings.provided.job_group),
            judging_policy,
            clock,
            patience=settings.provided.patience,
        ),
    )
    measure = providers.Singleton(Measure, queue_stats)
