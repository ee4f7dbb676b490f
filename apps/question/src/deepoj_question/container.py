"""The composition root: the only place that constructs."""

from __future__ import annotations

import time

from dependency_injector import containers, providers

from deepoj_domain.streams import Streams
from deepoj_kit.clock import system_clock
from deepoj_kit.grpc import BATCH_MESSAGE, Server
from deepoj_kit.grpc import connect as connect_grpc
from deepoj_kit.grpc.guests import Guests, KnownGuests
from deepoj_kit.ids import Uuid7
from deepoj_kit.lifecycle import Process
from deepoj_kit.objects import ObjectStore
from deepoj_kit.outbox import Outbox, Relay, StreamGuard
from deepoj_kit.postgres import Database
from deepoj_kit.streams import connect as connect_redis
from deepoj_packages.statements.process_renderer import ProcessRenderer
from deepoj_question.commands.create import Create
from deepoj_question.commands.delete import Delete
from deepoj_question.commands.import_package import ImportPackage
from deepoj_question.commands.load_package import LoadPackage
from deepoj_question.commands.optimistic_update import Changing
from deepoj_question.commands.put_object import PutObject
from deepoj_question.commands.relist import Relist
from deepoj_question.commands.set_enabled import SetEnabled
from deepoj_question.commands.sweep_objects import SweepObjects
from deepoj_question.commands.update import Update
from deepoj_question.inbound.grpc.inspect_calls import InspectUseCases
from deepoj_question.inbound.grpc.package_calls import PackageUseCases
from deepoj_question.inbound.grpc.question_servicer import QuestionServicer
from deepoj_question.inbound.grpc.read_calls import ReadingUseCases
from deepoj_question.inbound.grpc.refusals import translate
from deepoj_question.inbound.grpc.registration import FOR_HOSTS
from deepoj_question.inbound.grpc.write_calls import EditingUseCases
from deepoj_question.outbound.grpc import judge_hosts
from deepoj_question.outbound.grpc.games import IDEMPOTENT, GrpcGames
from deepoj_question.outbound.journal import TelemetryJournal
from deepoj_question.outbound.objects.contents import ContentStore
from deepoj_question.outbound.packages.local_packages import LocalPackages
from deepoj_question.outbound.packages.package_exporter import PackageExporter
from deepoj_question.outbound.packages.work_directories import Rooms
from deepoj_question.outbound.postgres.object_uses import PostgresObjectUses
from deepoj_question.outbound.postgres.page_store import PageStore
from deepoj_question.outbound.postgres.question_reader import PostgresQuestionViews
from deepoj_question.outbound.postgres.question_repository import PostgresQuestions
from deepoj_question.outbound.postgres.send_before_answer import SendBeforeAnswering
from deepoj_question.outbound.postgres.tables import OUTBOX
from deepoj_question.outbound.retention import retention
from deepoj_question.outbound.statements.statement_pages import StatementPages
from deepoj_question.queries.export_package import ExportPackage
from deepoj_question.queries.get import Get
from deepoj_question.queries.get_asset import GetAsset
from deepoj_question.queries.get_case_file import GetCaseFile
from deepoj_question.queries.get_judge_spec import GetJudgeSpec
from deepoj_question.queries.get_statement import GetStatement
from deepoj_question.queries.list import List
from deepoj_question.queries.list_hidden import ListHidden
from deepoj_question.queries.list_tags import ListTags
from deepoj_question.queries.revisions import Inspect, ListRevisions
from deepoj_question.settings import QuestionSettings


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=QuestionSettings)
    process = providers.Dependency(instance_of=Process)

    clock = providers.Object(system_clock)
    new_id = providers.Singleton(Uuid7)

    # Stores and services.
    database = providers.Singleton(Database.from_settings, settings, "deepoj_question")
    redis = providers.Singleton(
        connect_redis, settings.provided.redis_url.reveal.call(), settings.provided.tls_files
    )
    object_store = providers.Singleton(ObjectStore.from_settings, settings)
    game_channel = providers.Singleton(
        connect_grpc,
        settings.provided.game_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        idempotent=IDEMPOTENT,
    )

    record_channel = providers.Singleton(
        connect_grpc,
        settings.provided.record_address,
        settings.provided.service_token,
        tls=settings.provided.tls_files,
        idempotent=judge_hosts.IDEMPOTENT,
    )
    guests = providers.Singleton(
        Guests,
        providers.Object(FOR_HOSTS),
        providers.Singleton(
            KnownGuests, providers.Singleton(judge_hosts.GrpcJudgeHosts, record_channel), clock
        ),
    )

    # The way of an event from a transaction to its stream.
    streams = providers.Singleton(Streams, settings.provided.env)
    retention = providers.Singleton(retention, streams)
    outbox = providers.Singleton(Outbox, OUTBOX, clock=clock, new_id=new_id)
    relay = providers.Singleton(Relay, outbox, database, redis, clock=clock, retention=retention)
    guard = providers.Singleton(
        StreamGuard, outbox, database, redis, clock=clock,
        retention=retention, on_lost=relay.provided.wake.set,
    )  # fmt: skip

    # Adapters.
    questions = providers.Singleton(
        PostgresQuestions,
        database,
        outbox,
        streams.provided.question_events,
        providers.Singleton(SendBeforeAnswering, relay),
    )
    views = providers.Singleton(PostgresQuestionViews, database)
    object_uses = providers.Singleton(PostgresObjectUses, database)
    objects = providers.Singleton(ContentStore, object_store, object_uses, settings.provided.largest_object)
    games = providers.Singleton(GrpcGames, game_channel)
    rooms = providers.Singleton(
        Rooms, settings.provided.package_directory, settings.provided.packages_at_once
    )
    packages = providers.Singleton(LocalPackages, rooms, settings.provided.package_policy.call())
    exporter = providers.Singleton(PackageExporter, rooms, objects)
    pages = providers.Singleton(
        StatementPages, providers.Singleton(PageStore, database), providers.Singleton(ProcessRenderer)
    )
    journal = providers.Singleton(TelemetryJournal)

    # Use cases.
    changing = providers.Singleton(Changing, questions, pages, journal)
    create = providers.Singleton(Create, questions, objects, pages, journal, clock)
    set_enabled = providers.Singleton(SetEnabled, changing, clock)
    editing = providers.Singleton(
        EditingUseCases,
        create=create,
        update=providers.Singleton(Update, questions, changing, objects, clock),
        relist=providers.Singleton(Relist, changing, clock),
        delete=providers.Singleton(Delete, changing, clock),
        set_enabled=set_enabled,
        put_object=providers.Singleton(PutObject, objects),
    )
    get = providers.Singleton(Get, views, games)
    reading = providers.Singleton(
        ReadingUseCases,
        get=get,
        list=providers.Singleton(List, views),
        tags=providers.Singleton(ListTags, views),
        revisions=providers.Singleton(ListRevisions, views),
        hidden=providers.Singleton(ListHidden, views),
        judge_spec=providers.Singleton(GetJudgeSpec, views),
        statement=providers.Singleton(GetStatement, get, pages),
        asset=providers.Singleton(GetAsset, get, objects),
    )

    inspect = providers.Singleton(Inspect, views)
    inspecting = providers.Singleton(
        InspectUseCases, inspect=inspect, case_file=providers.Singleton(GetCaseFile, inspect, objects)
    )
    import_package = providers.Singleton(
        ImportPackage, questions, packages, objects, create, changing, clock, new_id
    )
    load_package = providers.Singleton(LoadPackage, questions, import_package, set_enabled)
    package_use_cases = providers.Singleton(
        PackageUseCases,
        import_package=import_package,
        export_package=providers.Singleton(ExportPackage, inspect, exporter),
    )

    sweep_objects = providers.Singleton(SweepObjects, object_uses, objects, providers.Object(time.monotonic))

    # What drives them.
    servicer = providers.Singleton(QuestionServicer, reading, inspecting, editing, package_use_cases)
    server = providers.Singleton(
        Server.for_process,
        settings,
        process.provided.readiness,
        translate=providers.Object(translate),
        max_message=BATCH_MESSAGE,
    )
