"""A user of Redis for each judge host: its rights are those of the documentation, while it is invited."""

from __future__ import annotations

import shlex
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import ResponseError

from deepoj_domain.judgement.host_credential import redis_user
from deepoj_domain.kernel.outcome import Refused
from deepoj_domain.streams import Streams
from deepoj_domain.submission.route import Band, Lane
from deepoj_kit.streams import connect
from deepoj_record.commands.judge_hosts import HostName, HostUsersError
from deepoj_record.outbound.redis.host_users import RedisHostUsers, rules
from deepoj_record.queries.join_host import HostSettings, JoinHost

OPERATIONS = Path(__file__).parents[4] / "docs" / "operations.md"
ONE, OTHER = HostName("judge-1"), HostName("judge-2")


@pytest.fixture
def env() -> str:
    return f"test-{uuid4().hex[:12]}"


@pytest.fixture
async def users(redis_url: str, env: str) -> AsyncIterator[RedisHostUsers]:
    async with connect(redis_url) as redis:
        users = RedisHostUsers(redis, env)
        yield users
        for name in (ONE, OTHER):
            await users.remove(name)


async def joined(redis_url: str, env: str, name: str, credential: str) -> Redis:
    """Return a client with the URL that this host is told."""

    async def identify(shown: str) -> str | None:
        return name if shown == credential else None

    told = HostSettings(
        env=env, record_address="r:1", question_address="q:1", redis_url=redis_url, redis_own=True,
        s3_endpoint="s", s3_bucket="b", s3_access_key="k", s3_secret_key="x", tls="off", authorities="",
        reference_ms=0,
    )  # fmt: skip
    found = await JoinHost(identify, lambda: told)(credential)
    assert not isinstance(found, Refused)
    return connect(found.settings.redis_url)


async def test_a_host_has_its_user_until_it_is_revoked_and_no_other_loses_its_own(
    redis_url: str, env: str, users: RedisHostUsers
) -> None:
    await users.put(ONE, "host_one")
    await users.put(OTHER, "host_other")
    jobs = Streams(env).jobs(Lane.LIGHT, Band.NORMAL)
    async with (
        await joined(redis_url, env, ONE, "host_one") as host,
        await joined(redis_url, env, OTHER, "host_other") as other,
    ):
        await host.ping()
        await host.xgroup_create(jobs, "judgement", "0", mkstream=True)
        for forbidden in (host.xadd(jobs, {"job_id": "1"}), host.flushall(), host.acl_list()):
            with pytest.raises(ResponseError, match=r"(?i)no permissions|NOPERM|ACL failure"):
                await forbidden
        await users.put(ONE, "host_renewed")
        async with await joined(redis_url, env, ONE, "host_one") as older:
            with pytest.raises(RedisConnectionError, match="invalid username-password pair"):
                await older.ping()
        async with await joined(redis_url, env, ONE, "host_renewed") as renewed:
            await renewed.ping()
            await users.remove(ONE)
            with pytest.raises(RedisConnectionError):
                await renewed.ping()
            with pytest.raises(RedisConnectionError, match="invalid username-password pair"):
                await renewed.ping()
        await other.ping()


async def test_a_host_announces_its_own_workers_and_reads_of_all(
    redis_url: str, env: str, users: RedisHostUsers
) -> None:
    await users.put(ONE, "host_one")
    names = f"deepoj:{env}:workers"
    async with await joined(redis_url, env, ONE, "host_one") as host:
        for own in ("judge-1", "judge-1.b"):
            await host.set(f"{names}:{own}", "{}", ex=15)
            await host.zadd(names, {own: 1})
        for forged in ("judge-2", "judge-10", "judge-1x.a", "judge-2.judge-1"):
            for attempt in (host.set(f"{names}:{forged}", "{}"), host.delete(f"{names}:{forged}")):
                with pytest.raises(ResponseError, match=r"(?i)no permissions|NOPERM|ACL failure"):
                    await attempt
        assert await host.mget([f"{names}:judge-1", f"{names}:judge-2"]) == [b"{}", None]
        assert await host.zrange(names, 0, -1) == [b"judge-1", b"judge-1.b"]
        await host.delete(f"{names}:judge-1", f"{names}:judge-1.b")


async def test_whoever_may_not_make_users_is_told_so(redis_url: str, env: str, users: RedisHostUsers) -> None:
    await users.put(ONE, "host_one")
    async with await joined(redis_url, env, ONE, "host_one") as host:
        with pytest.raises(HostUsersError, match=r"(?i)permission"):
            await RedisHostUsers(host, env).put(OTHER, "host_other")


def test_its_rights_are_those_that_an_operator_would_give_by_hand() -> None:
    [line] = [each for each in OPERATIONS.read_text().splitlines() if "ACL SETUSER" in each]
    told = shlex.split(line.replace("(", "'(").replace(")", ")'"))
    assert told[:5] == ["ACL", "SETUSER", "judge-hosts", "on", ">PASSWORD"]
    assert sorted(told[5:]) == sorted(rules("ENV"))


def test_users_of_two_environments_are_two() -> None:
    assert redis_user("live", "judge-1") != redis_user("test", "judge-1")
