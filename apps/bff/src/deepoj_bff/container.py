"""The composition root: the only place that constructs."""

from __future__ import annotations

import grpc
from dependency_injector import containers, providers

from deepoj_bff.inbound.http.access_tokens import AccessTokens
from deepoj_bff.inbound.http.api_tokens import ApiTokens
from deepoj_bff.inbound.http.app import CALLS, Parts, is_https, make_app, make_edge
from deepoj_bff.inbound.http.authorise import Authorise
from deepoj_bff.inbound.http.cookies import CookieJar
from deepoj_bff.inbound.http.credentials import Credentials
from deepoj_bff.inbound.http.server import HttpServer
from deepoj_bff.outbound.grpc.probe import GrpcProbe
from deepoj_bff.outbound.grpc.services import SERVICES, GrpcServices, idempotent
from deepoj_bff.queries.health import GetHealth
from deepoj_bff.settings import BffSettings
from deepoj_kit.grpc import connect
from deepoj_kit.ids import Uuid7


def _channels(settings: BffSettings) -> dict[str, grpc.aio.Channel]:
    addresses = {name: getattr(settings, f"{name}_address") for name in SERVICES}
    return {
        name: connect(address, settings.service_token, idempotent=idempotent(name))
        for name, address in addresses.items()
    }


def _probes(channels: dict[str, grpc.aio.Channel]) -> dict[str, GrpcProbe]:
    return {name: GrpcProbe(channel) for name, channel in channels.items()}


def _services(channels: dict[str, grpc.aio.Channel]) -> GrpcServices:
    services = GrpcServices(channels)
    services.prepare(CALLS)
    return services


class Container(containers.DeclarativeContainer):
    settings = providers.Dependency(instance_of=BffSettings)
    channels = providers.Singleton(_channels, settings)
    services = providers.Singleton(_services, channels)

    credentials = providers.Singleton(
        Credentials,
        providers.Singleton(AccessTokens, services),
        providers.Singleton(ApiTokens, services),
        settings.provided.trusted_proxies,
    )
    authorise = providers.Singleton(Authorise, credentials, settings.provided.public_url)
    https = providers.Callable(is_https, settings.provided.public_url)
    parts = providers.Singleton(
        Parts,
        services=services,
        get_health=providers.Singleton(GetHealth, providers.Singleton(_probes, channels)),
        new_id=providers.Object(Uuid7()),
        cookie_jar=providers.Singleton(CookieJar, https),
    )
    app = providers.Singleton(make_app, parts, authorise, settings.provided.body_limit)
    edge = providers.Singleton(make_edge, app, settings.provided.public_url)
    http_server = providers.Singleton(HttpServer, edge, settings.provided.listen)
