"""For tests of the HTTP layer: services that say what they are told, and access tokens of our own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeVar
from uuid import UUID, uuid4

import jwt
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from deepoj_bff.commands.admission_gate import Place, Swapped
from deepoj_bff.commands.submit import Draft, Stored
from deepoj_bff.inbound.http.auth.access_tokens import SigningKey, SigningKeys
from deepoj_bff.queries.services import Call
from deepoj_bff.queries.views.problem import Problem, ProblemAnswer
from deepoj_bff.queries.views.submission import Status, Submission, SubmissionDetail, Submitted
from deepoj_domain.admission.decide import SystemState
from deepoj_domain.kernel.role import Actor, Role
from deepoj_domain.kernel.token_bucket import TokenBucket
from deepoj_domain.question.listing import Level
from deepoj_kit.grpc import Kind, RemoteError

A = TypeVar("A", bound=msgspec.Struct)
ISSUER = "deepoj"


@dataclass
class ToldServices:
    """Answers a method with what it was told, an exception included, and keeps what it was asked."""

    answers: dict[tuple[str, str], object] = field(default_factory=dict)
    asked: list[tuple[str, str, dict[str, object]]] = field(default_factory=list)
    otherwise: Exception | None = None

    async def call(self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object) -> A:
        call.require_declared(body, fields)
        sent = {name: getattr(body, name) for name in body.__struct_fields__} if body else {}
        self.asked.append((call.service, call.method, {**sent, **fields}))
        answer = self.answers.get((call.service, call.method), self.otherwise)
        if isinstance(answer, Exception):
            raise answer
        if not isinstance(answer, call.answer):
            raise TypeError(f"{call.method} was told an answer of another type")
        return answer

    async def find(self, call: Call[A], /, **fields: object) -> A | None:
        try:
            return await self.call(call, **fields)
        except RemoteError as error:
            if error.kind in {Kind.NOT_FOUND, Kind.FORBIDDEN, Kind.PRECONDITION}:
                return None
            raise

    async def optional(self, call: Call[A], /, **fields: object) -> A | None:
        if (call.service, call.method) not in self.answers:
            return None
        try:
            return await self.call(call, **fields)
        except RemoteError:
            return None

    async def stream(
        self, call: Call[A], body: msgspec.Struct | None = None, /, **fields: object
    ) -> AsyncIterator[A]:
        yield await self.call(call, body, **fields)

    async def exchange(
        self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]
    ) -> AsyncIterator[A]:
        sent = [fields async for fields in requests]
        yield await self.call(call, sent=sent)

    async def upload(self, call: Call[A], requests: AsyncIterable[Mapping[str, object]]) -> A:
        return await self.call(call, sent=[fields async for fields in requests])


SUBMIT = Call("record", "Submit", Submitted)


@dataclass(frozen=True)
class ToldRecord:
    """Record as the front door submits to it; it answers with what the services were told of Submit."""

    services: ToldServices

    async def submit(self, submission_id: UUID, actor: Actor, draft: Draft, key: str) -> Stored:
        return await self._submit(submission_id, actor, draft, key, only_repeat=False)

    async def find(self, submission_id: UUID, actor: Actor, draft: Draft, key: str) -> Stored | None:
        try:
            return await self._submit(submission_id, actor, draft, key, only_repeat=True)
        except RemoteError:
            return None

    async def _submit(
        self, submission_id: UUID, actor: Actor, draft: Draft, key: str, *, only_repeat: bool
    ) -> Stored:
        sent = {"submission_id": submission_id, "actor": actor, "idempotency_key": key}
        made = await self.services.call(SUBMIT, **sent, **asdict(draft), only_repeat=only_repeat)
        return Stored(made.submission_id, made.repeated)


@dataclass
class MemoryBuckets:
    """Of one process: who is inside and who left when is a place of each key, as in Redis."""

    kept: dict[str, TokenBucket] = field(default_factory=dict)
    places: dict[str, dict[str, datetime]] = field(default_factory=dict)

    async def get(self, key: str) -> TokenBucket | None:
        return self.kept.get(key)

    async def swap(self, key: str, seen: TokenBucket | None, new: TokenBucket, place: Place) -> Swapped:
        # Others get a turn between the question and the answer, as with a server.
        await asyncio.sleep(0)
        if self.kept.get(key) != seen:
            return Swapped(done=False)
        places = self.places.setdefault(key, {})
        counted = sum(until > place.since for until in places.values())
        if counted >= place.room:
            return Swapped(done=False, counted=counted)
        self.kept[key] = new
        places[place.id] = place.now + place.lease
        return Swapped(done=True)

    def leave(self, key: str, place_id: str, now: datetime) -> None:
        places = self.places.get(key, {})
        if place_id in places:
            places[place_id] = now


class QuietSystem:
    async def state(self) -> SystemState:
        return SystemState(queue_depth=0, live_workers=1)


@dataclass(frozen=True)
class Signer:
    key: Ed25519PrivateKey
    key_id: str = "key-1"

    def published(self) -> SigningKeys:
        pem = self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        return SigningKeys(keys=[SigningKey(self.key_id, "EdDSA", pem.decode())], issuer=ISSUER)

    def token(
        self,
        role: Role,
        account: UUID | None = None,
        *,
        epoch: int = 0,
        valid_for: timedelta = timedelta(minutes=5),
        session_id: str = "",
    ) -> str:
        claims = {
            "iss": ISSUER,
            "sub": str(account or uuid4()),
            "role": role.value,
            "epoch": epoch,
            "sid": session_id,
            "exp": datetime.now(UTC) + valid_for,
        }
        return jwt.encode(claims, self.key, algorithm="EdDSA", headers={"kid": self.key_id})

    def headers(self, role: Role, account: UUID | None = None) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token(role, account)}"}


def a_submission(submission_id: str, status: Status, account_id: str = "") -> Submission:
    return Submission(
        id=submission_id,
        account_id=account_id,
        question_id="q",
        question_revision=1,
        game_id=None,
        language="cpp17",
        status=status,
        attempt_id=1,
        result=None,
        submitted_at=datetime.fromisoformat("2026-01-01T12:00:00Z"),
        finished_at=None,
        origin_id=submission_id,
        rejudge_of=None,
        is_head=True,
        source_bytes=1,
        reason=None,
    )


def a_detail(submission_id: str, status: Status, *, shows_cases: bool = True) -> SubmissionDetail:
    submission = a_submission(submission_id, status)
    return SubmissionDetail(submission=submission, attempts=[], shows_cases=shows_cases)


def a_problem(slug: str, problem_id: str = "") -> ProblemAnswer:
    problem = Problem(
        id=problem_id or str(uuid4()),
        slug=slug,
        title="Sum",
        level=Level.EASY,
        tags=[],
        enabled=True,
        revision=1,
        updated_at=None,
        owner_id=str(uuid4()),
        statements=[],
        samples=[],
        limits=None,
        languages=[],
        assets=[],
        created_at=None,
        version=1,
    )
    return ProblemAnswer(question=problem)


async def unnamed(submissions: Sequence[Submission], actor: Actor | None) -> list[Submission]:  # noqa: ARG001 — the port's
    return list(submissions)
