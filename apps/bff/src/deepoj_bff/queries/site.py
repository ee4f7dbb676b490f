"""What the site tells of itself, to everybody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from deepoj_bff.queries.services import Call, Services
from deepoj_bff.queries.views.site import RegistrationTerms, Site, SiteLimits

GET_REGISTRATION: Final = Call("user", "GetRegistration", RegistrationTerms)
LOCALES: Final = ("en", "zh")


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTerms:
    name: str
    version: str
    demo: bool
    start_problem: str | None
    limits: SiteLimits


@dataclass(frozen=True, slots=True)
class ReadSite:
    services: Services
    terms: SiteTerms
    clock: Callable[[], datetime]

    async def __call__(self) -> Site:
        registration = await self.services.call(GET_REGISTRATION)
        is_told = registration.first_admin and (self.terms.demo or not registration.admin_seen)
        return Site(
            name=self.terms.name,
            version=self.terms.version,
            now=self.clock(),
            registration=registration.mode,
            guest_accounts=registration.guest_accounts,
            demo=self.terms.demo,
            first_admin_hint=registration.first_admin if is_told else None,
            locales=list(LOCALES),
            limits=self.terms.limits,
            start_problem=self.terms.start_problem,
        )
