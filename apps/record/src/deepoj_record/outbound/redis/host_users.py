"""A user of Redis for each judge host: it may take jobs, tell progress and presence, and nothing else."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from deepoj_domain.judgement.host_credential import redis_password, redis_user
from deepoj_record.commands.judge_hosts import HostName, HostUsersError

_log = logging.getLogger(__name__)
_COMMANDS: Final = (
    "-@all +ping +client|setinfo +script|load +time +eval +evalsha +xreadgroup +xack +xautoclaim +xclaim "
    "+xpending +xinfo|consumers +xgroup|create +xgroup|delconsumer ~deepoj:{env}:jobs:*"
)
_BESIDE: Final = (
    "-@all +xread +xrevrange %R~deepoj:{env}:events:cancelled",
    "-@all +xadd ~deepoj:{env}:events:progress",
    "-@all +eval +evalsha +get +set ~deepoj:{env}:job-rate",
    "-@all +smembers %R~deepoj:{env}:job-parts",
)
_PRESENCE: Final = (
    "-@all +set +del +mget +zadd +zrem +zrange +zcard +zremrangebyscore ~deepoj:{env}:workers*",
)
# With a user of its own a host announces nobody but its own workers.
_OWN_PRESENCE: Final = (
    "-@all +set +del ~deepoj:{env}:workers:{host} ~deepoj:{env}:workers:{host}.*",
    "-@all +mget %R~deepoj:{env}:workers:*",
    "-@all +zadd +zrem +zrange +zcard +zremrangebyscore ~deepoj:{env}:workers",
)


def rules(env: str, host: HostName | None = None) -> list[str]:
    """Return what a host may do, or all of them with one user, as words of ACL SETUSER."""
    selectors = (*_BESIDE, *(_PRESENCE if host is None else _OWN_PRESENCE))
    return [
        *_COMMANDS.format(env=env).split(),
        *(f"({each.format(env=env, host=host)})" for each in selectors),
    ]


class RedisHostUsers:
    def __init__(self, redis: Redis, env: str) -> None:
        self._execute: Callable[..., Awaitable[object]] = redis.execute_command
        self._env = env

    async def put(self, name: HostName, credential: str) -> None:
        digest = hashlib.sha256(redis_password(credential).encode()).hexdigest()
        user = redis_user(self._env, name)
        await self._changed("SETUSER", user, "reset", "on", f"#{digest}", *rules(self._env, name))

    async def remove(self, name: HostName) -> None:
        """Its connections end with it."""
        await self._changed("DELUSER", redis_user(self._env, name))

    async def _changed(self, *words: str) -> None:
        try:
            await self._execute("ACL", *words)
        except RedisError as error:
            raise HostUsersError(str(error)) from error
        try:
            await self._execute("ACL", "SAVE")
        except ResponseError as error:
            _log.warning("Redis keeps its users no longer than it runs: give it an aclfile (%s)", error)
