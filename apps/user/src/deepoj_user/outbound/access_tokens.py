"""Access tokens: JWT signed with Ed25519, by keys that live in the database and are replaced as they age."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from deepoj_domain.account.account import Account
from deepoj_domain.kernel.ids import FamilyId
from deepoj_kit.clock import Clock
from deepoj_kit.settings import Secret
from deepoj_user.commands.ports import AccessToken
from deepoj_user.outbound.postgres.signing_keys import PostgresSigningKeys, StoredKey

ALGORITHM = "EdDSA"


@dataclass(frozen=True, slots=True)
class SigningTerms:
    issuer: str
    validity: timedelta
    key_age: timedelta
    """After this a key signs no more; its tokens stay good until they expire."""
    passphrase: Secret


@dataclass(frozen=True, slots=True)
class _Signer:
    id: str
    key: Ed25519PrivateKey
    until: datetime


class SignedAccessTokens:
    """The key in use is kept in memory. A key that the passphrase does not open is passed over."""

    def __init__(self, keys: PostgresSigningKeys, terms: SigningTerms, clock: Clock) -> None:
        self._keys = keys
        self._terms = terms
        self._clock = clock
        self._signer: _Signer | None = None

    async def sign(self, account: Account, session: FamilyId) -> AccessToken:
        now = self._clock()
        if self._signer is None or now >= self._signer.until:
            self._signer = await self._find(now)
        # A JWT counts in whole seconds.
        expires_at = (now + self._terms.validity).replace(microsecond=0)
        claims: dict[str, object] = {
            "iss": self._terms.issuer,
            "sub": str(account.id),
            "role": account.role.value,
            "epoch": account.session_epoch,
            "sid": str(session),
            "iat": int(now.timestamp()),
            "exp": int(expires_at.timestamp()),
        }
        signer = self._signer
        text = jwt.encode(claims, signer.key, algorithm=ALGORITHM, headers={"kid": signer.id})
        return AccessToken(text, expires_at)

    async def _find(self, now: datetime) -> _Signer:
        def usable(stored: StoredKey) -> bool:
            return stored.created_at > now - self._terms.key_age and self._open(stored) is not None

        stored = await self._keys.newest_or_add(usable, lambda: self._make(now))
        key = self._open(stored)
        if key is None:
            raise RuntimeError("a key just made cannot be opened")
        return _Signer(stored.id, key, stored.created_at + self._terms.key_age)

    def _make(self, now: datetime) -> StoredKey:
        key = Ed25519PrivateKey.generate()
        encryption = BestAvailableEncryption(self._terms.passphrase.reveal().encode())
        private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption).decode()
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
        return StoredKey(sha256(public.encode()).hexdigest()[:16], private, public, now)

    def _open(self, stored: StoredKey) -> Ed25519PrivateKey | None:
        try:
            key = load_pem_private_key(stored.private_pem.encode(), self._terms.passphrase.reveal().encode())
        except (ValueError, TypeError):
            return None
        return key if isinstance(key, Ed25519PrivateKey) else None
