"""The composition root: the only place that constructs."""

from __future__ import annotations

from dependency_injector import containers, providers

from deepoj_bff.inbound.http.app import make_app
from deepoj_bff.inbound.http.server import HttpServer
from deepoj_bff.outbound.grpc.probe import GrpcProbe
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.settings import BffSettings
from deepoj_kit.grpc import connect


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=BffSettings)
    token = settings.provided.service_token

    channels = providers.Dict(
        record=providers.Singleton(connect, settings.provided.record_address, token),
        judgement=providers.Singleton(connect, settings.provided.judgement_address, token),
        question=providers.Singleton(connect, settings.provided.question_address, token),
        game=providers.Singleton(connect, settings.provided.game_address, token),
        user=providers.Singleton(connect, settings.provided.user_address, token),
    )
    probes = providers.Dict(
        {name: providers.Singleton(GrpcProbe, channel) for name, channel in channels.kwargs.items()}
    )
    get_health = providers.Singleton(GetHealth, probes)
    http_server = providers.Singleton(
        HttpServer, providers.Singleton(make_app, get_health), settings.provided.listen
    )
