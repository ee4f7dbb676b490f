"""Protobuf messages and typed values, by the names of the fields.

A mapper is told where names differ and which functions make a value; all else follows from the types: frozen
dataclasses, msgspec structs, new types, UUIDs, times, enums by the name of the member, optional fields,
sequences and unions. A reader or writer is compiled once for a pair of types. What does not fit raises
TypeError while it is compiled, so make them where a service starts: as constants of a module.
"""

from deepoj_kit.grpc.mapping.declarations import Conversion, Members, Pair
from deepoj_kit.grpc.mapping.mapper import Mapper, UnreadableError
from deepoj_kit.grpc.mapping.values import timestamp

__all__ = ["Conversion", "Mapper", "Members", "Pair", "UnreadableError", "timestamp"]
