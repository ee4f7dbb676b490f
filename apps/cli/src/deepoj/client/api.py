"""Calls to the server: signed, tried again where that is safe, and refused in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from importlib.metadata import version
from typing import IO, Final, TypeVar

import httpx
import msgspec

from deepoj.client.refusals import failure_of, problem_of, unreachable
from deepoj.client.saved import Credential, SavedFile
from deepoj.client.wire import Session
from deepoj.errors import Exit, Failure

T = TypeVar("T")
Sleep = Callable[[float], None]
Body = bytes | IO[bytes] | Iterator[bytes]

TRIES: Final = 4
_FIRST_PAUSE: Final = 0.5
# Longer than this nobody waits before a prompt without a word.
_LONGEST_WAIT: Final = 10.0
_EARLY: Final = timedelta(seconds=10)
_WAIT: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
# Of the reading: an event stream says at least every 15 seconds that it is still there.
_TIMEOUT: Final = httpx.Timeout(30.0, read=60.0)


class Api:
    def __init__(
        self,
        server: str,
        saved: SavedFile,
        api_token: str = "",
        *,
        transport: httpx.BaseTransport | None = None,
        sleep: Sleep = time.sleep,
    ) -> None:
        """`api_token` goes before whatever is saved."""
        self.server = server
        self._saved = saved
        self._credential = Credential(api_token=api_token) if api_token else None
        self._sleep = sleep
        agent = f"deepoj/{version('deepoj')}"
        self._http = httpx.Client(
            base_url=server, timeout=_TIMEOUT, transport=transport, headers={"user-agent": agent}
        )

    def close(self) -> None:
        self._http.close()

    @property
    def credential(self) -> Credential | None:
        if self._credential is None:
            self._credential = self._saved.read().credentials.get(self.server)
        return self._credential

    def get(self, path: str, kind: type[T], params: Mapping[str, str | list[str] | None] | None = None) -> T:
        given = {name: value for name, value in (params or {}).items() if value}
        return self._decoded(self.send("GET", path, params=given), kind)

    def post(
        self,
        path: str,
        kind: type[T],
        body: object,
        *,
        headers: Mapping[str, str] | None = None,
        repeatable: bool = False,
    ) -> T:
        """`repeatable`: sent twice it does what it does once, so a lost answer is asked for again."""
        answer = self.send(
            "POST",
            path,
            content=msgspec.json.encode(body),
            headers={"content-type": "application/json", **(headers or {})},
            repeatable=repeatable,
        )
        return self._decoded(answer, kind)

    def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | list[str]] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool = False,
        signed: bool = True,
    ) -> httpx.Response:
        """Return a good answer, or raise what the server or the network said."""
        request = self._http.build_request(method, path, params=params, content=content, headers=headers)
        answer = self._tried(request, safe=repeatable or method == "GET", signed=signed)
        if answer.is_error:
            raise failure_of(problem_of(answer))
        return answer

    @contextmanager
    def stream(
        self, method: str, path: str, *, headers: Mapping[str, str], content: Body | None = None,
        params: Mapping[str, str] | None = None,
    ) -> Iterator[httpx.Response]:  # fmt: skip
        """Lend an answer that is still arriving; a network that breaks off raises httpx's own error."""
        request = self._http.build_request(method, path, headers=headers, content=content, params=params)
        self._sign(request)
        answer = self._http.send(request, stream=True)
        try:
            if answer.is_error:
                answer.read()
                raise failure_of(problem_of(answer))
            yield answer
        finally:
            answer.close()

    def log_in(self, login: str, password: str) -> Session:
        body = msgspec.json.encode({"login": login, "password": password})
        headers = {"content-type": "application/json"}
        answer = self.send("POST", "/api/auth/login", content=body, headers=headers, signed=False)
        return self._keep(self._decoded(answer, Session))

    def use(self, credential: Credential) -> None:
        self._credential = credential

    def keep(self, credential: Credential) -> None:
        self._saved.keep(self.server, credential)
        self._credential = credential

    def log_out(self, *, everywhere: bool) -> None:
        if (known := self.credential) is None:
            return
        if known.refresh_token:
            body = {"refresh_token": known.refresh_token, "everywhere": everywhere}
            headers = {"content-type": "application/json"}
            self.send("POST", "/api/auth/logout", content=msgspec.json.encode(body), headers=headers)
        self._saved.drop(self.server)

    def _tried(self, request: httpx.Request, *, safe: bool, signed: bool) -> httpx.Response:
        renewed = False
        for attempt in range(1, TRIES + 1):
            if signed:
                self._sign(request)
            try:
                answer = self._http.send(request)
            except httpx.TransportError as error:
                # What did not even connect did nothing.
                if attempt == TRIES or not (safe or isinstance(error, httpx.ConnectError)):
                    raise unreachable(self.server, error) from error
                self._sleep(_FIRST_PAUSE * 2 ** (attempt - 1))
                continue
            if answer.status_code == HTTPStatus.UNAUTHORIZED and signed and not renewed and self._renew():
                renewed = True
                continue
            wait = _wait(answer)
            if wait is None or attempt == TRIES:
                return answer
            self._sleep(wait)
        raise Failure(f"{self.server} did not answer", Exit.UNREACHABLE)

    def _sign(self, request: httpx.Request) -> None:
        known = self.credential
        if known is None:
            return
        if known.access_expires_at and datetime.now(UTC) + _EARLY >= known.access_expires_at:
            self._renew()
            known = self.credential or known
        request.headers["authorization"] = f"Bearer {known.api_token or known.access_token}"

    def _renew(self) -> bool:
        """Exchange the refresh token; another command may have done so a moment ago."""
        known = self._saved.read().credentials.get(self.server)
        if known is None or not known.refresh_token:
            return False
        if self._credential is not None and known.access_token != self._credential.access_token:
            self._credential = known
            return True
        body = msgspec.json.encode({"refresh_token": known.refresh_token})
        headers = {"content-type": "application/json"}
        try:
            # Within a short grace the server gives the same answer again, so a lost one may be asked for.
            answer = self.send(
                "POST", "/api/auth/refresh", content=body, headers=headers, repeatable=True, signed=False
            )
        except Failure as failure:
            if failure.code is not Exit.NOT_SIGNED_IN:
                raise
            self._saved.drop(self.server)
            raise Failure("your session is over: log in with deepoj login", Exit.NOT_SIGNED_IN) from failure
        self._keep(self._decoded(answer, Session))
        return True

    def _keep(self, session: Session) -> Session:
        tokens = session.tokens
        self.keep(
            Credential(
                name=session.user.name,
                access_token=tokens.access_token,
                access_expires_at=tokens.access_expires_at,
                refresh_token=tokens.refresh_token,
            )
        )
        return session

    def _decoded(self, answer: httpx.Response, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.content, type=kind)
        except msgspec.DecodeError as error:
            raise Failure(
                f"{self.server} answered {answer.request.url.path} with something unexpected ({error}): is "
                "it a Deep-OJ of this version?",
                Exit.FAILED,
            ) from error


def _wait(answer: httpx.Response) -> float | None:
    """Return how long the server asks to wait, if it does and that is not too long."""
    given = answer.headers.get("retry-after", "")
    if answer.status_code not in _WAIT or not given.isdigit():
        return None
    return float(given) if float(given) <= _LONGEST_WAIT else None
