"""A package becomes a new question or the next revision of one: all of it or nothing.

An archive with several problems becomes as many questions, each all or nothing.

Files are stored before the transaction that names them. A crash between the two leaves files that nothing
names; they do no harm, and the next import of the same package finds them there.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from deepoj_domain.kernel.errors import InvalidValueError
from deepoj_domain.kernel.ids import QuestionId
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.kernel.role import Actor
from deepoj_domain.question.listing import Listing, QuestionSlug, question_slug, slug_of
from deepoj_domain.question.question import Question, QuestionOutcome
from deepoj_domain.question.visibility import may_create
from deepoj_packages.options import Dialect, Told
from deepoj_question.commands.create import Create
from deepoj_question.commands.optimistic_update import Changing, Outcome, refusal
from deepoj_question.commands.package_ports import (
    Message,
    Package,
    PackageFiles,
    Packages,
    PackageSet,
    Progress,
    RefusedPackage,
    Stored,
    Tell,
    Upload,
)
from deepoj_question.commands.ports import Clock, CommandRefusal, NewId, Questions


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportRequest:
    actor: Actor
    source: Upload | Path
    question_id: QuestionId | None = None
    """An existing question gets a new revision, an unknown id a new question."""
    slug: QuestionSlug | None = None
    """Of a new question; None: made of the package's name or title."""
    dialect: Dialect = Dialect.KATTIS
    told: Told = field(default_factory=Told)
    dry_run: bool = False
    """Read and tell what would be, but store nothing."""


_NOTHING = Stored(0, 0)


@dataclass(frozen=True, slots=True)
class Unimported:
    """One problem of several that was left out."""

    name: str
    why: InvalidValueError | Refused[StrEnum]


@dataclass(frozen=True, slots=True)
class Imported:
    outcome: Outcome
    """Of an archive with several problems the first that was taken."""
    stored: Stored = _NOTHING
    messages: tuple[Message, ...] = ()
    format: str = ""
    taken: tuple[Question, ...] = ()
    left_out: tuple[Unimported, ...] = ()


class ImportPackage:
    def __init__(
        self,
        questions: Questions,
        packages: Packages,
        files: PackageFiles,
        create: Create,
        changing: Changing,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._questions = questions
        self._packages = packages
        self._files = files
        self._create = create
        self._changing = changing
        self._clock = clock
        self._new_id = new_id

    async def __call__(self, request: ImportRequest) -> AsyncGenerator[Progress | Imported, None]:
        """Give its progress, and at the end what became of it."""
        told: asyncio.Queue[Progress | None] = asyncio.Queue()
        work = asyncio.create_task(self._import(request, told.put_nowait))
        work.add_done_callback(lambda _: told.put_nowait(None))
        try:
            while (progress := await told.get()) is not None:
                yield progress
            yield await work
        finally:
            work.cancel()
            await asyncio.wait({work})

    async def _import(self, request: ImportRequest, tell: Tell) -> Imported:
        existing = None if request.question_id is None else await self._questions.load(request.question_id)
        refused = self._refusal(request.actor, existing)
        if refused is not None:
            return Imported(refused)
        async with self._packages.open(request.source, request.dialect, request.told, tell) as found:
            match found.packages:
                case (Package() as package,):
                    done = await self._take(request, existing, package, tell)
                    taken = () if isinstance(done.outcome, Refused) else (done.outcome,)
                    return replace(done, format=found.format, taken=taken)
                case _:
                    return await self._take_all(request, found, tell)

    async def _take_all(self, request: ImportRequest, found: PackageSet, tell: Tell) -> Imported:
        """Each problem for itself: one that is left out does not stop the others."""
        if request.question_id is not None or request.slug is not None:
            raise InvalidValueError(
                "package_several",
                f"the archive holds {len(found.packages)} problems, and an id or a slug names only one",
            )
        taken: list[Question] = []
        messages: list[Message] = []
        left_out: list[Unimported] = []
        stored = _NOTHING
        for package in found.packages:
            done = await self._tried(request, package, tell)
            if isinstance(done, Unimported):
                left_out.append(done)
                continue
            outcome, title = done.outcome, package.name
            if isinstance(outcome, Refused):
                left_out.append(Unimported(title, outcome))
                continue
            taken.append(outcome)
            messages += (replace(each, text=f"{title}: {each.text}") for each in done.messages)
            stored = Stored(
                stored.uploaded + done.stored.uploaded, stored.already_there + done.stored.already_there
            )
        if not taken:
            raise _none_taken(left_out)
        return Imported(taken[0], stored, tuple(messages), found.format, tuple(taken), tuple(left_out))

    async def _tried(
        self, request: ImportRequest, package: Package | RefusedPackage, tell: Tell
    ) -> Imported | Unimported:
        if isinstance(package, RefusedPackage):
            return Unimported(package.name, package.why)
        try:
            return await self._take(request, None, package, tell)
        except InvalidValueError as error:
            return Unimported(package.name, error)

    async def _take(
        self, request: ImportRequest, existing: Question | None, package: Package, tell: Tell
    ) -> Imported:
        listing = existing.listing if existing else _listing(request, package)
        if existing is None and await self._questions.find(listing.slug) is not None:
            # Found out before gigabytes are stored; the transaction decides in the end.
            return Imported(Refused(CommandRefusal.SLUG_TAKEN, listing.slug))
        if request.dry_run:
            return Imported(self._would_be(request, existing, listing, package), messages=package.messages)
        stored = await self._files.ensure(package.files, tell)
        if existing is None:
            outcome: Outcome = await self._new(request, listing, package)
        else:
            outcome = await self._revise(request.actor, existing, package)
        return Imported(outcome, stored, package.messages)

    def _would_be(
        self, request: ImportRequest, existing: Question | None, listing: Listing, package: Package
    ) -> Outcome:
        actor, now = request.actor, self._clock()
        if existing is None:
            question_id = request.question_id or QuestionId(self._new_id())
            return Question.create(question_id, actor.account_id, listing, package.content, now).after
        edited = existing.edit(listing, package.content, by=actor.account_id, now=now)
        return existing if isinstance(edited, Refused) else edited.after

    def _refusal(self, actor: Actor, existing: Question | None) -> Refused[CommandRefusal] | None:
        if existing is not None:
            return refusal(actor, existing)
        return None if may_create(actor) else Refused(CommandRefusal.NOT_ALLOWED)

    async def _new(self, request: ImportRequest, listing: Listing, package: Package) -> Outcome:
        question_id = request.question_id or QuestionId(self._new_id())
        return await self._create.store(request.actor, question_id, listing, package.content)

    async def _revise(self, actor: Actor, existing: Question, package: Package) -> Outcome:
        now = self._clock()

        def edit(question: Question) -> QuestionOutcome:
            return question.edit(question.listing, package.content, by=actor.account_id, now=now)

        return await self._changing(actor, existing.id, edit)


def _none_taken(left_out: list[Unimported]) -> InvalidValueError:
    first = left_out[0]
    return InvalidValueError(
        "package_none_taken",
        f"none of the {len(left_out)} problems could be imported; the first, {first.name}: {first.why}",
    )


def _listing(request: ImportRequest, package: Package) -> Listing:
    return Listing(slug=request.slug or _slug(package), tags=package.tags)


def _slug(package: Package) -> QuestionSlug:
    """Of the directory's name, or of the first title that has letters for it."""
    titles = (statement.title for statement in package.content.presentation.statements)
    for text in (package.name, *titles):
        try:
            return question_slug(slug_of(text))
        except InvalidValueError:
            continue
    raise InvalidValueError("slug_missing", "no slug can be made of the package's name; choose one")
