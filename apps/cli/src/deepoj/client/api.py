"""Calls to the server: signed, tried again where that is safe, and refused in words."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from importlib.metadata import version
from typing import Final, TypeVar

import httpx
import msgspec

from deepoj.client.identity import Identity
from deepoj.client.refusals import failure_of, problem_of, unreachable
from deepoj.client.saved import SavedFile
from deepoj.client.wire import Session
from deepoj.errors import Exit, Failure

T = TypeVar("T")
Sleep = Callable[[float], None]
Params = Mapping[str, str | list[str] | None]

TRIES: Final = 4
_FIRST_PAUSE: Final = 0.5
# Longer than this nobody waits before a prompt without a word.
_LONGEST_WAIT: Final = 10.0
_WAIT: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE})
# HTTP says of these that the second time changes nothing more.
_IDEMPOTENT: Final = frozenset({"PUT", "DELETE"})
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
# An event stream gives a sign of life more often than this.
_CONNECT_SECONDS: Final = 30.0
_TIMEOUT: Final = httpx.Timeout(_CONNECT_SECONDS, read=60.0)


class Api:
    def __init__(
        self, server: str, saved: SavedFile, api_token: str = "", *, sleep: Sleep = time.sleep
    ) -> None:
        self.server = server
        self.identity = Identity(server, saved, api_token)
        self._sleep = sleep
        headers = {"user-agent": f"deepoj/{version('deepoj')}"}
        # No proxy reaches this machine's own loopback.
        local = httpx.URL(server).host in _LOOPBACK
        self._http = httpx.Client(base_url=server, timeout=_TIMEOUT, headers=headers, trust_env=not local)

    def close(self) -> None:
        self._http.close()

    def get(
        self, path: str, kind: type[T], params: Params | None = None, *, accept: Collection[int] = ()
    ) -> T:
        """`accept`: answers that look like refusals and are none."""
        request = self._http.build_request("GET", path, params=_given(params))
        return self._decoded(self._send(request, safe=True, accept=accept), kind)

    def post(
        self,
        path: str,
        kind: type[T],
        body: object,
        *,
        headers: Mapping[str, str] | None = None,
        repeatable: bool = False,
        seconds: float | None = None,
    ) -> T:
        """`repeatable`: sent twice it does what it does once, so a lost answer is asked for again.

        `seconds`: how long an answer may take, where that is unusual.
        """
        request = self._json(path, body, headers)
        if seconds is not None:
            request.extensions["timeout"] = httpx.Timeout(_CONNECT_SECONDS, read=seconds).as_dict()
        return self._decoded(self._send(request, safe=repeatable), kind)

    def change(
        self,
        method: str,
        path: str,
        kind: type[T],
        body: object = None,
        *,
        params: Params | None = None,
        patience: float | None = None,
    ) -> T:
        """Send what may take up to `patience` seconds; `kind` is `Nothing` for an answer without content."""
        headers = {"content-type": "application/json"}
        content = b"" if body is None else msgspec.json.encode(body)
        request = self._http.build_request(
            method,
            path,
            content=content,
            headers=headers if content else {},
            params=_given(params),
            timeout=_timeout(patience),
        )
        return self._decoded(self._send(request, safe=method in _IDEMPOTENT), kind)

    @contextmanager
    def stream(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        content: Iterator[bytes] | None = None,
        params: Params | None = None,
        patience: float | None = None,
    ) -> Iterator[httpx.Response]:
        """Lend an answer that is still arriving; a network that breaks off raises httpx's own error.

        Between two parts of it `patience` seconds may pass.
        """
        request = self._http.build_request(
            method,
            path,
            headers=headers,
            content=content,
            params=_given(params),
            timeout=_timeout(patience),
        )
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
        request = self._json("/api/auth/login", {"login": login, "password": password})
        session = self._decoded(self._send(request, safe=False, signed=False), Session)
        self.identity.keep_session(session)
        return session

    def log_out(self, *, everywhere: bool) -> None:
        if token := self.identity.credential.refresh_token:
            body = {"refresh_token": token, "everywhere": everywhere}
            self._send(self._json("/api/auth/logout", body), safe=True)
        self.identity.forget()

    def _json(self, path: str, body: object, headers: Mapping[str, str] | None = None) -> httpx.Request:
        described = {"content-type": "application/json", **(headers or {})}
        return self._http.build_request("POST", path, content=msgspec.json.encode(body), headers=described)

    def _send(
        self, request: httpx.Request, *, safe: bool, signed: bool = True, accept: Collection[int] = ()
    ) -> httpx.Response:
        """Return a good answer, or raise what the server or the network said."""
        if signed:
            self._sign(request)
        answer = self._tried(request, safe=safe)
        if answer.status_code == HTTPStatus.UNAUTHORIZED and signed and self._renew():
            self.identity.sign(request)
            answer = self._tried(request, safe=safe)
        if answer.is_error and answer.status_code not in accept:
            raise failure_of(problem_of(answer), logging_in=not signed)
        return answer

    def _tried(self, request: httpx.Request, *, safe: bool) -> httpx.Response:
        for attempt in range(1, TRIES):
            try:
                answer = self._http.send(request)
                wait = _wait(answer)
                if wait is None:
                    return answer
            except httpx.TransportError as error:
                # What did not even connect did nothing.
                if not (safe or isinstance(error, httpx.ConnectError)):
                    raise unreachable(self.server, error) from error
                wait = _FIRST_PAUSE * 2 ** (attempt - 1)
            self._sleep(wait)
        try:
            return self._http.send(request)
        except httpx.TransportError as error:
            raise unreachable(self.server, error) from error

    def _sign(self, request: httpx.Request) -> None:
        if self.identity.is_stale:
            self._renew()
        self.identity.sign(request)

    def _renew(self) -> bool:
        """Get a new access token, if there is a way."""
        if self.identity.catch_up():
            return True
        token = self.identity.credential.refresh_token
        if not token:
            return False
        request = self._json("/api/auth/refresh", {"refresh_token": token})
        try:
            # Within a short grace the server gives the same answer again, so a lost one may be asked for.
            answer = self._send(request, safe=True, signed=False)
        except Failure as failure:
            if failure.code is not Exit.NOT_SIGNED_IN:
                raise
            self.identity.forget()
            raise Failure("your session is over: log in with deepoj login", Exit.NOT_SIGNED_IN) from failure
        self.identity.keep_session(self._decoded(answer, Session))
        return True

    def _decoded(self, answer: httpx.Response, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(answer.content or b"{}", type=kind)
        except msgspec.DecodeError as error:
            raise Failure(
                f"{self.server} answered {answer.request.url.path} with something unexpected ({error}): is "
                "it a Deep-OJ of this version?",
                Exit.FAILED,
            ) from error


def _timeout(patience: float | None) -> httpx.Timeout:
    return _TIMEOUT if patience is None else httpx.Timeout(_TIMEOUT.connect, read=patience)


def _given(params: Params | None) -> dict[str, str | list[str]]:
    return {name: value for name, value in (params or {}).items() if value}


def _wait(answer: httpx.Response) -> float | None:
    """Return how long the server asks to wait, if it does and that is not too long."""
    given = answer.headers.get("retry-after", "")
    if answer.status_code not in _WAIT or not given.isdigit():
        return None
    return float(given) if float(given) <= _LONGEST_WAIT else None
