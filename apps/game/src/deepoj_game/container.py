"""The composition root: the only place that constructs."""

from __future__ import annotations

import asyncio
import os
import socket
from datetime import timedelta

from dependency_injector import containers, providers
from sqlalchemy import MetaData

from deepoj_domain.streams import Streams
from deepoj_game.commands.admin_rulings import AdminRulings
from deepoj_game.commands.anonymise_participant import AnonymiseParticipant
from deepoj_game.commands.answer import Answer
from deepoj_game.commands.apply_submission_events import ApplySubmissionEvents
from deepoj_game.commands.ask import Ask
from deepoj_game.commands.broadcast import Broadcast
from deepoj_game.commands.cancel_sign_up import CancelSignUp
from deepoj_game.commands.carry_out_work import CarryOut
from deepoj_game.commands.change_times import ChangeTimes
from deepoj_game.commands.create_game import CreateGame
from deepoj_game.commands.delete_game import DeleteGame
from deepoj_game.commands.edit_game import EditGame
from deepoj_game.commands.enrol import Enrol
from deepoj_game.commands.finalize import Finalize
from deepoj_game.commands.ignore_submission import IgnoreSubmission
from deepoj_game.commands.recompute_board import RecomputeBoard
from deepoj_game.commands.reopen import Reopen
from deepoj_game.commands.sign_up import SignUp
from deepoj_game.commands.unfreeze import Unfreeze
from deepoj_game.commands.update_participant import UpdateParticipant
from deepoj_game.inbound.grpc.board_calls import BoardUseCases
from deepoj_game.inbound.grpc.game_calls import GameUseCases
from deepoj_game.inbound.grpc.people_calls import PeopleUseCases
from deepoj_game.inbound.grpc.refusals import translate
from deepoj_game.inbound.grpc.servicer import GameServicer
from deepoj_game.inbound.grpc.work_calls import WorkUseCases
from deepoj_game.inbound.stream.on_account import ACCOUNT_CODEC, OnAccount
from deepoj_game.inbound.stream.on_submission import CODEC, OnSubmission
from deepoj_game.inbound.worker import Worker
from deepoj_game.outbound.board_signals import BoardSignals
from deepoj_game.outbound.grpc.questions import IDEMPOTENT, GrpcQuestions
from deepoj_game.outbound.grpc.records import GrpcRecords
from deepoj_game.outbound.journal import TelemetryJournal
from deepoj_game.outbound.passwords import Argon2Passwords
from deepoj_game.outbound.postgres.board_reader import PostgresBoards
from deepoj_game.outbound.postgres.build_claims import PostgresBuilds
from deepoj_game.outbound.postgres.game_reader import PostgresGameReader
from deepoj_game.outbound.postgres.game_transaction import PostgresGames, Tell
from deepoj_game.outbound.postgres.games import GameCache
from deepoj_game.outbound.postgres.work import PostgresWorkReader
from deepoj_game.outbound.throttle import MemoryThrottle
from deepoj_game.queries.board import Boards, WatchBoard
from deepoj_game.queries.explain import Explain
from deepoj_game.queries.get_game import GetGame
from deepoj_game.queries.get_work import GetWork
from deepoj_game.queries.list_clarifications import ListClarifications
from deepoj_game.queries.list_games import ListGames
from deepoj_game.queries.list_ignored import ListIgnored
from deepoj_game.queries.list_participants import ListParticipants
from deepoj_game.queries.list_rulings import ListRulings
from deepoj_game.queries.list_undecided import ListUndecided
from deepoj_game.queries.list_work import ListWork
from deepoj_game.queries.past import Past
from deepoj_game.queries.preview_rejudge import PreviewRejudge
from deepoj_game.queries.preview_ruling import PreviewRuling
from deepoj_game.queries.record_checks import CheckEntry, CheckSight, ListSealedGames
from deepoj_game.settings import GameSettings
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import Server
from deepoj_kit.grpc import connect as connect_grpc
from deepoj_kit.ids import Uuid7
from deepoj_kit.inbox import Inbox, inbox_table
from deepoj_kit.lifecycle import Process
from deepoj_kit.postgres import Database, Notifier
from deepoj_kit.streams import Consumer, ConsumerOptions
from deepoj_kit.streams import connect as connect_redis

BOARDS_CHANNEL = "game_boards"
_RECORD = "/deepoj.record.v1.RecordService"
_ASK_AGAIN = tuple(f"{_RECORD}/{call}" for call in ("ReadGame", "Get", "CountByQuestion", "PreviewRejudge"))
_RECORD_DEADLINE = timedelta(seconds=30)
_RECORD_PAGE_BYTES = 64 * 1024 * 1024


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=GameSettings)
    process = providers.Dependency(instance_of=Process)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)

    # Stores.
    database = providers.Singleton(Database.from_settings, settings, "deepoj_game")
    redis = providers.Singleton(
        connect_redis, settings.provided.redis_url.reveal.call(), settings.provided.tls_files
    )
    streams = providers.Singleton(Streams, settings.provided.env)
    record_channel = providers.Singleton(
        connect_grpc,
        settings.provided.record_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        deadline=_RECORD_DEADLINE,
        idempotent=_ASK_AGAIN,
        max_message=_RECORD_PAGE_BYTES,
    )

    question_channel = providers.Singleton(
        connect_grpc,
        settings.provided.question_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        idempotent=providers.Object(IDEMPOTENT),
    )

    # Messages in, and hints to other processes.
    inbox = providers.Singleton(Inbox, inbox_table(MetaData(schema="game")), clock=clock)
    board_notifier = providers.Singleton(Notifier, database, BOARDS_CHANNEL)

    # Adapters.
    work_begun = providers.Singleton(asyncio.Event)
    cache = providers.Singleton(GameCache)
    games = providers.Singleton(
        PostgresGames,
        database,
        inbox,
        cache,
        clock=clock,
        new_id=new_id,
        tell=providers.Factory(
            Tell,
            changed=board_notifier.provided.notify,
            begun=work_begun.provided.set,
        ),
    )
    reader = providers.Singleton(PostgresGameReader, database, cache)
    passwords = providers.Singleton(Argon2Passwords)
    guesses = providers.Singleton(MemoryThrottle, settings.provided.guess_limit.call(), clock)
    past_throttle = providers.Singleton(MemoryThrottle, settings.provided.past_limit.call(), clock)
    journal = providers.Singleton(TelemetryJournal)
    boards = providers.Singleton(PostgresBoards, database)
    signals = providers.Singleton(BoardSignals)
    records = providers.Singleton(GrpcRecords, record_channel)
    questions = providers.Singleton(GrpcQuestions, question_channel)
    builds = providers.Singleton(
        PostgresBuilds, database, cache, clock=clock, new_id=new_id,
        on_changed=board_notifier.provided.notify,
    )  # fmt: skip
    works = providers.Singleton(PostgresWorkReader, database)

    # Use cases.
    patience = settings.provided.ruling_size
    rulings = providers.Singleton(AdminRulings, games, journal, clock, patience)
    game_use_cases = providers.Singleton(
        GameUseCases,
        create=providers.Singleton(CreateGame, games, questions, passwords, journal),
        edit=providers.Singleton(EditGame, games, questions, passwords, journal, clock, patience),
        delete=providers.Singleton(DeleteGame, rulings),
        change_times=providers.Singleton(ChangeTimes, rulings),
        unfreeze=providers.Singleton(Unfreeze, rulings),
        finalize=providers.Singleton(Finalize, rulings),
        reopen=providers.Singleton(Reopen, rulings),
        ignore=providers.Singleton(IgnoreSubmission, rulings),
        get=providers.Singleton(GetGame, reader, works, clock),
        list=providers.Singleton(ListGames, reader, clock),
    )
    people_use_cases = providers.Singleton(
        PeopleUseCases,
        sign_up=providers.Singleton(SignUp, games, passwords, guesses, journal, clock),
        cancel=providers.Singleton(CancelSignUp, games, journal, clock),
        update=providers.Singleton(UpdateParticipant, games, journal, clock),
        enrol=providers.Singleton(Enrol, games, journal, clock),
        list=providers.Singleton(ListParticipants, reader),
        check_entry=providers.Singleton(CheckEntry, reader, clock),
        check_sight=providers.Singleton(CheckSight, reader, clock),
        list_sealed=providers.Singleton(ListSealedGames, reader, clock),
        ask=providers.Singleton(Ask, games, journal, clock),
        answer=providers.Singleton(Answer, games, journal, clock),
        broadcast=providers.Singleton(Broadcast, games, journal, clock),
        clarifications=providers.Singleton(ListClarifications, reader),
    )
    past = providers.Singleton(Past, boards, past_throttle)
    sights = providers.Singleton(Boards, reader, boards, past, clock)
    board_use_cases = providers.Singleton(
        BoardUseCases,
        boards=sights,
        explain=providers.Singleton(Explain, sights, boards, past, clock),
        watch=providers.Singleton(WatchBoard, sights, boards, signals),
        preview=providers.Singleton(PreviewRejudge, reader, boards, records, clock),
        preview_ruling=providers.Singleton(PreviewRuling, reader, boards, clock),
        undecided=providers.Singleton(ListUndecided, reader, boards),
        ignored=providers.Singleton(ListIgnored, reader, boards),
    )
    work_use_cases = providers.Singleton(
        WorkUseCases,
        recompute=providers.Singleton(RecomputeBoard, games, journal, clock),
        get=providers.Singleton(GetWork, reader, works),
        list=providers.Singleton(ListWork, reader, works),
        rulings=providers.Singleton(ListRulings, reader, works),
    )
    carry_out = providers.Singleton(CarryOut, builds, records, clock)
    apply = providers.Singleton(ApplySubmissionEvents, games, clock)

    # What drives them.
    servicer = providers.Singleton(
        GameServicer, game_use_cases, people_use_cases, board_use_cases, work_use_cases
    )
    worker = providers.Singleton(Worker, carry_out, work_begun)
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
        streams=providers.List(streams.provided.submission_events),
        codec=providers.Object(CODEC),
        handler=providers.Singleton(OnSubmission, apply),
    )
    account_consumer = providers.Singleton(
        consuming,
        streams=providers.List(streams.provided.account_events),
        codec=providers.Object(ACCOUNT_CODEC),
        handler=providers.Singleton(OnAccount, providers.Singleton(AnonymiseParticipant, games, clock)),
    )
