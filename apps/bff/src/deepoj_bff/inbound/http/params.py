"""Parameters that many routes take."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from litestar.params import HeaderParameter, PathParameter, QueryParameter

LastEventId = Annotated[
    str | None, HeaderParameter(name="Last-Event-ID", max_length=128, description="Where a stream broke off.")
]
PathId = Annotated[UUID, PathParameter()]
PageSize = Annotated[
    int | None, QueryParameter(name="size", ge=1, le=100, description="Items on a page at most.")
]
Cursor = Annotated[
    str | None,
    QueryParameter(name="cursor", max_length=512, description="`page.next_cursor` of the page before."),
]
