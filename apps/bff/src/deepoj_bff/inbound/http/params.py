"""Parameters that many routes take."""

from __future__ import annotations

from typing import Annotated, Final
from uuid import UUID

from litestar.params import HeaderParameter, PathParameter, QueryParameter

PAGE_SIZE: Final = 100

LastEventId = Annotated[
    str | None, HeaderParameter(name="Last-Event-ID", max_length=200, description="Where a stream broke off.")
]
PathId = Annotated[UUID, PathParameter()]
PageSize = Annotated[
    int | None, QueryParameter(name="size", ge=1, le=PAGE_SIZE, description="Items on a page at most.")
]
Cursor = Annotated[
    str | None,
    QueryParameter(name="cursor", max_length=1024, description="`page.next_cursor` of the page before."),
]
