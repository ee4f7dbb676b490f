"""Who asks, as other services are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from deepoj_domain.kernel.role import Actor, Role
from deepoj_proto.common.v1 import common_pb2

ROLES: Final[Mapping[Role, common_pb2.Role.ValueType]] = {
    role: common_pb2.Role.Value(f"ROLE_{role.name}") for role in Role
}


def actor_message(actor: Actor) -> common_pb2.Actor:
    return common_pb2.Actor(account_id=str(actor.account_id), role=ROLES[actor.role])
