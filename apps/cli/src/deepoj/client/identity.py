"""Who the client is to one server: the credential in use, and the file that keeps it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import httpx

from deepoj.client.saved import Credential, SavedFile
from deepoj.client.wire import Session

# A token that expires on its way is of no use.
_EARLY: Final = timedelta(seconds=10)
NOBODY: Final = Credential()


class Identity:
    def __init__(self, server: str, saved: SavedFile, api_token: str) -> None:
        """`api_token` goes before whatever is saved, and is not saved."""
        self._server = server
        self._saved = saved
        self.credential = Credential(api_token=api_token) if api_token else self._kept()

    @property
    def is_stale(self) -> bool:
        expires_at = self.credential.access_expires_at
        return expires_at is not None and datetime.now(UTC) + _EARLY >= expires_at

    def sign(self, request: httpx.Request) -> None:
        if token := self.credential.api_token or self.credential.access_token:
            request.headers["authorization"] = f"Bearer {token}"

    def catch_up(self) -> bool:
        """Say whether another command has renewed the session meanwhile; then it is ours too."""
        kept = self._kept()
        if self.credential.api_token or not kept.access_token:
            return False
        renewed = kept.access_token != self.credential.access_token
        self.credential = kept
        return renewed

    def keep(self, credential: Credential) -> None:
        self._saved.keep(self._server, credential)
        self.credential = credential

    def keep_session(self, session: Session) -> None:
        tokens = session.tokens
        self.keep(
            Credential(
                name=session.user.name,
                access_token=tokens.access_token,
                access_expires_at=tokens.access_expires_at,
                refresh_token=tokens.refresh_token,
            )
        )

    def forget(self) -> None:
        self._saved.drop(self._server)
        self.credential = NOBODY

    def _kept(self) -> Credential:
        return self._saved.read().credentials.get(self._server, NOBODY)
