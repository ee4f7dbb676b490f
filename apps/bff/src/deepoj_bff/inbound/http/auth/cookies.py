"""The cookies of a browser's session."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from litestar import Response
from litestar.datastructures import Cookie

from deepoj_bff.inbound.http.auth.credentials import ACCESS_COOKIE, REFRESH_COOKIE
from deepoj_bff.queries.views.user import Session, Tokens

_AUTH_PATH: Final = "/api/auth"


@dataclass(frozen=True, slots=True)
class CookieJar:
    """`secure` as soon as the site is served over https: a browser then never sends them in the clear."""

    secure: bool

    def of(self, tokens: Tokens) -> list[Cookie]:
        now = datetime.now(UTC)
        access = int((tokens.access_expires_at - now).total_seconds())
        refresh = int((tokens.refresh_expires_at - now).total_seconds())
        return [
            self._cookie(ACCESS_COOKIE, "/api", tokens.access_token, access),
            # Only the routes that exchange it ever see the refresh token.
            self._cookie(REFRESH_COOKIE, _AUTH_PATH, tokens.refresh_token, refresh),
        ]

    def cleared(self) -> list[Cookie]:
        return [self._cookie(ACCESS_COOKIE, "/api", "", 0), self._cookie(REFRESH_COOKIE, _AUTH_PATH, "", 0)]

    def _cookie(self, name: str, path: str, value: str, max_age: int) -> Cookie:
        return Cookie(
            key=name,
            value=value,
            path=path,
            max_age=max(0, max_age),
            httponly=True,
            secure=self.secure,
            samesite="strict",
        )


def answer_session(session: Session, cookie_jar: CookieJar, *, as_cookies: bool) -> Response[Any]:
    if not as_cookies or session.tokens is None:
        return Response(session)
    return Response(Session(account=session.account, tokens=None), cookies=cookie_jar.of(session.tokens))
