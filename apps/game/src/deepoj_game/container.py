"""The composition root: the only place that constructs."""

from __future__ import annotations

import os
import socket
from datetime import timedelta

from dependency_injector import containers, providers
from sqlalchemy import MetaData

from deepoj_game.commands.apply import Apply
from deepoj_game.commands.cancel_sign_up import CancelSignUp
from deepoj_game.commands.clarify import Clarify
from deepoj_game.commands.create import Create
from deepoj_game.commands.forget import Forget
from deepoj_game.commands.ignore import Ignore
from deepoj_game.commands.recompute import Recompute
from deepoj_game.commands.rule import Rule
from deepoj_game.commands.sign_up import SignUp
from deepoj_game.commands.update import Update
from deepoj_game.commands.update_participant import UpdateParticipant
from deepoj_game.inbound.grpc.board_calls import BoardUseCases
from deepoj_game.inbound.grpc.game_calls import GameUseCases
from deepoj_game.inbound.grpc.people_calls import PeopleUseCases
from deepoj_game.inbound.grpc.refusals import translate
from deepoj_game.inbound.grpc.servicer import GameServicer
from deepoj_game.inbound.stream.on_account import ACCOUNT_CODEC, OnAccount
from deepoj_game.inbound.stream.on_submission import CODEC, OnSubmission
from deepoj_game.outbound.grpc.records import GrpcRecords
from deepoj_game.outbound.journal import TelemetryJournal
from deepoj_game.outbound.messages import Messages
from deepoj_game.outbound.passwords import ScryptPasswords
from deepoj_game.outbound.postgres.boards import PostgresBoards
from deepoj_game.outbound.postgres.games import PostgresGames
from deepoj_game.outbound.postgres.locking import GameCache
from deepoj_game.outbound.postgres.reading import PostgresGameReader
from deepoj_game.outbound.postgres.rebuilding import PostgresRebuilds
from deepoj_game.outbound.postgres.signals import BoardSignals
from deepoj_game.outbound.streams import Streams
from deepoj_game.outbound.throttle import MemoryThrottle
from deepoj_game.queries.board import Boards
from deepoj_game.queries.explain import Explain
from deepoj_game.queries.games import (
    CheckEntry,
    CheckSight,
    Get,
    List,
    ListClarifications,
    ListParticipants,
    ListSealed,
)
from deepoj_game.queries.past import Past
from deepoj_game.queries.preview import PreviewRejudge
from deepoj_game.queries.watch import Watch
from deepoj_game.settings import GameSettings
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import Server
from deepoj_kit.grpc import connect as connect_grpc
from deepoj_kit.ids import Uuid7
from deepoj_kit.inbox import Inbox, inbox_table
from deepoj_kit.lifecycle import Process
from deepoj_kit.outbox import Outbox, Relay, outbox_table
from deepoj_kit.postgres import Database, DatabaseOptions, Notifier
from deepoj_kit.streams import Consumer, ConsumerOptions
from deepoj_kit.streams import connect as connect_redis

BOARDS_CHANNEL = "game_boards"
_RECORD = "/deepoj.record.v1.RecordService"
_ASK_AGAIN = tuple(f"{_RECORD}/{call}" for call in ("List", "Get", "CountByQuestion", "PreviewRejudge"))
_RECORD_DEADLINE = timedelta(seconds=30)
_RECORD_PAGE_BYTES = 64 * 1024 * 1024


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=GameSettings)
    process = providers.Dependency(instance_of=Process)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)

    # Stores.
    database = providers.Singleton(
        Database,
        settings.provided.postgres_url.reveal.call(),
        providers.Factory(
            DatabaseOptions,
            application_name="deepoj_game",
            pool_max=settings.provided.postgres_connections,
        ),
    )
    redis = providers.Singleton(connect_redis, settings.provided.redis_url.reveal.call())
    streams = providers.Singleton(Streams, settings.provided.env)
    record_channel = providers.Singleton(
        connect_grpc,
        settings.provided.record_address,
        settings.provided.service_token,
        deadline=_RECORD_DEADLINE,
        idempotent=_ASK_AGAIN,
        max_message=_RECORD_PAGE_BYTES,
    )

    # Messages in and out.
    inbox = providers.Singleton(Inbox, inbox_table(MetaData(schema="game")), clock=clock)
    outbox = providers.Singleton(Outbox, outbox_table(MetaData(schema="game")), clock=clock, new_id=new_id)
    relay = providers.Singleton(
        Relay, outbox, database, redis, clock=clock, retention=streams.provided.retention.call()
    )
    messages = providers.Singleton(Messages, outbox, streams)
    board_notifier = providers.Singleton(Notifier, database, BOARDS_CHANNEL)

    # Adapters.
    cache = providers.Singleton(GameCache)
    games = providers.Singleton(
        PostgresGames,
        database,
        inbox,
        messages,
        cache,
        clock=clock,
        new_id=new_id,
        on_sent=relay.provided.wake.set,
        on_changed=board_notifier.provided.notify,
    )
    reader = providers.Singleton(PostgresGameReader, database, cache)
    passwords = providers.Singleton(ScryptPasswords)
    guesses = providers.Singleton(MemoryThrottle, settings.provided.guess_limit.call(), clock)
    past_throttle = providers.Singleton(MemoryThrottle, settings.provided.past_limit.call(), clock)
    journal = providers.Singleton(TelemetryJournal)
    boards = providers.Singleton(PostgresBoards, database)
    signals = providers.Singleton(BoardSignals)
    records = providers.Singleton(GrpcRecords, record_channel)
    rebuilds = providers.Singleton(
        PostgresRebuilds, database, cache, clock=clock, new_id=new_id,
        on_changed=board_notifier.provided.notify,
    )  # fmt: skip

    # Use cases.
    game_use_cases = providers.Singleton(
        GameUseCases,
        create=providers.Singleton(Create, games, passwords, journal, clock),
        update=providers.Singleton(Update, games, passwords, journal, clock),
        rule=providers.Singleton(Rule, games, journal, clock),
        ignore=providers.Singleton(Ignore, games, journal, clock),
        get=providers.Singleton(Get, reader, clock),
        list=providers.Singleton(List, reader, clock),
    )
    people_use_cases = providers.Singleton(
        PeopleUseCases,
        sign_up=providers.Singleton(SignUp, games, passwords, guesses, journal, clock),
        cancel=providers.Singleton(CancelSignUp, games, journal, clock),
        update=providers.Singleton(UpdateParticipant, games, journal, clock),
        list=providers.Singleton(ListParticipants, reader),
        check_entry=providers.Singleton(CheckEntry, reader, clock),
        check_sight=providers.Singleton(CheckSight, reader, clock),
        list_sealed=providers.Singleton(ListSealed, reader, clock),
        clarify=providers.Singleton(Clarify, games, journal, clock),
        clarifications=providers.Singleton(ListClarifications, reader),
    )
    past = providers.Singleton(Past, boards, past_throttle)
    sights = providers.Singleton(Boards, reader, boards, past, clock)
    board_use_cases = providers.Singleton(
        BoardUseCases,
        boards=sights,
        explain=providers.Singleton(Explain, sights, boards, past, clock),
        watch=providers.Singleton(Watch, sights, boards, signals),
        preview=providers.Singleton(PreviewRejudge, reader, boards, records, clock),
        recompute=providers.Singleton(Recompute, games, rebuilds, records, journal),
    )
    apply = providers.Singleton(Apply, games)

    # What drives them.
    servicer = providers.Singleton(GameServicer, game_use_cases, people_use_cases, board_use_cases)
    server = providers.Singleton(
        Server.for_process, settings, process.provided.readiness, translate=providers.Object(translate)
    )
    consuming = providers.Factory(
        Consumer,
        redis,
        group=settings.provided.event_group,
        name=f"{socket.gethostname()}-{os.getpid()}",
        options=providers.Factory(
            ConsumerOptions,
            batch=settings.provided.event_batch,
            min_idle=settings.provided.event_idle.total_seconds.call(),
        ),
    )
    consumer = providers.Singleton(
        consuming,
        streams=providers.List(streams.provided.submissions),
        codec=providers.Object(CODEC),
        handler=providers.Singleton(OnSubmission, apply),
    )
    account_consumer = providers.Singleton(
        consuming,
        streams=providers.List(streams.provided.accounts),
        codec=providers.Object(ACCOUNT_CODEC),
        handler=providers.Singleton(OnAccount, providers.Singleton(Forget, games)),
    )
