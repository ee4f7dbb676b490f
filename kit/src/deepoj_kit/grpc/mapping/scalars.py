"""The Python types of protobuf's scalars."""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor import FieldDescriptor

_TYPES: Final = {
    FieldDescriptor.CPPTYPE_BOOL: bool,
    FieldDescriptor.CPPTYPE_DOUBLE: float,
    FieldDescriptor.CPPTYPE_FLOAT: float,
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_INT64: int,
    FieldDescriptor.CPPTYPE_UINT32: int,
    FieldDescriptor.CPPTYPE_UINT64: int,
    FieldDescriptor.CPPTYPE_STRING: str,
}


def scalar(field: FieldDescriptor) -> type | None:
    return bytes if field.type == FieldDescriptor.TYPE_BYTES else _TYPES.get(field.cpp_type)
