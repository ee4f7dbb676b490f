"""Who asks, as other services are told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from deepoj_domain.kernel.role import Actor, Role
from deepoj_proto.common.v1 import common_pb2

ROLES: Final[Mapping[Role, common_pb2.Role.ValueType]] = {
    Role.CONTESTANT: common_pb2.ROLE_CONTESTANT,
    Role.SETTER: common_pb2.ROLE_SETTER,
    Role.JUDGE: common_pb2.ROLE_JUDGE,
    Role.ADMIN: common_pb2.ROLE_ADMIN,
}


def actor_message(actor: Actor) -> common_pb2.Actor:
    return common_pb2.Actor(account_id=str(actor.account_id), role=ROLES[actor.role])
