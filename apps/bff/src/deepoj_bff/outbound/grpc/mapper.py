"""How structs and messages meet: by the names of the fields. What a struct does not name is never shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeVar

from google.protobuf.message import Message

from deepoj_domain.kernel.role import Actor, acting
from deepoj_kit.grpc.mapping import Conversion, Mapper, Members, Pair
from deepoj_proto.common.v1 import common_pb2, judging_pb2

M = TypeVar("M", bound=Message)
_MICROS: Final = 1_000_000
_GUEST: Final = common_pb2.Actor(role=common_pb2.ROLE_GUEST)


def _points(score: judging_pb2.Score) -> float:
    return score.micros / _MICROS


def _score(points: float) -> judging_pb2.Score:
    return judging_pb2.Score(micros=round(points * _MICROS))


MAPPER: Final = Mapper(
    Pair(common_pb2.Actor, Actor, made_by=acting),
    Members(common_pb2.Role.DESCRIPTOR, none=("GUEST",)),
    Conversion(judging_pb2.Score, float, _points, _score),
    whole=False,
)


def filled(message: type[M], values: Mapping[str, object]) -> M:
    """Return a request with the fields named; None leaves a field out, but an actor of None is a guest."""
    if values.get("actor", _GUEST) is None:
        values = {**values, "actor": _GUEST}
    return MAPPER.build(message, values)
