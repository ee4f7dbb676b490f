"""The composition root: the only place that constructs."""

from __future__ import annotations

from dependency_injector import containers, providers

from deepoj_game.settings import GameSettings
from deepoj_kit.grpc import Server
from deepoj_kit.lifecycle import Process
from deepoj_kit.postgres import Database, DatabaseOptions


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=GameSettings)
    process = providers.Dependency(instance_of=Process)

    database = providers.Singleton(
        Database,
        settings.provided.postgres_url.reveal.call(),
        DatabaseOptions(application_name="deepoj_game"),
    )
    server = providers.Singleton(Server.for_process, settings, process.provided.readiness)
