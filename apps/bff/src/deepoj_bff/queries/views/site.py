"""What the site tells of itself."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta

from deepoj_bff.queries.views.base import View
from deepoj_domain.account.registration import RegistrationMode


class RegistrationTerms(View, frozen=True, kw_only=True):
    mode: RegistrationMode
    guest_accounts: bool
    first_admin: str
    admin_seen: bool


class SiteLimits(View, frozen=True, kw_only=True):
    source_bytes: int
    input_bytes: int
    page_size: int


class Site(View, frozen=True, kw_only=True):
    name: str
    version: str
    now: datetime = msgspec.field(name="time")
    registration: Annotated[
        RegistrationMode,
        Meta(description="`open`: name and password; `mail`: a code too; `invitation`: a code of an admin."),
    ]
    guest_accounts: bool
    demo: bool
    first_admin_hint: Annotated[
        str | None, Meta(description="Where the password of the first admin lies, while nobody used it.")
    ]
    locales: list[str]
    limits: SiteLimits
    start_problem: Annotated[str | None, Meta(description="A problem to begin with, by its slug.")]
