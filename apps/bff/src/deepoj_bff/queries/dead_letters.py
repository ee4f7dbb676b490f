"""Dead letters, with the names of those whose they are."""

from __future__ import annotations

import asyncio
from typing import Final

import msgspec

from deepoj_bff.queries.names import Names, ProblemName, UserName
from deepoj_bff.queries.services import Call, Page, Services
from deepoj_bff.queries.views.admin import DeadLetter, DeadLetters
from deepoj_domain.kernel.role import Actor

LIST: Final = Call("record", "ListDeadLetters", DeadLetters)


class ReadDeadLetters:
    def __init__(self, services: Services, names: Names) -> None:
        self._services = services
        self._names = names

    async def __call__(self, group: str | None, page: Page, actor: Actor | None) -> DeadLetters:
        found = await self._services.call(LIST, actor=actor, group=group, page=page)
        letters = found.dead_letters
        users, problems = await asyncio.gather(
            self._names.users({each.account_id for each in letters}),
            self._names.problems({(each.question_id, each.game_id) for each in letters}, actor),
        )
        return msgspec.structs.replace(
            found,
            dead_letters=[
                _named(each, users.get(each.account_id), problems.get(each.question_id)) for each in letters
            ],
        )


def _named(letter: DeadLetter, user: UserName | None, problem: ProblemName | None) -> DeadLetter:
    return msgspec.structs.replace(
        letter,
        user_name=user and user.name,
        problem_slug=problem and problem.slug,
        problem_title=problem and problem.title,
    )
