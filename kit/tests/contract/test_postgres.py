from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial

import pytest

from deepoj_kit.postgres import ConstraintViolated, Database, DatabaseOptions, Unavailable
from deepoj_kit.testing.conditions import eventually
from deepoj_kit.testing.plugin import PrivateServer


@pytest.fixture
async def database(postgres_url: str) -> AsyncIterator[Database]:
    async with Database(postgres_url, DatabaseOptions(application_name="kit tests")) as opened:
        async with opened.connection() as connection:
            await connection.execute(
                "CREATE TABLE things (id int CONSTRAINT things_are_unique PRIMARY KEY,"
                " size int NOT NULL CONSTRAINT sizes_are_positive CHECK (size > 0))"
            )
        yield opened


async def sizes(database: Database) -> list[tuple[int, int]]:
    async with database.connection() as connection:
        rows = await (await connection.execute("SELECT id, size FROM things ORDER BY id")).fetchall()
        return [(int(identity), int(size)) for identity, size in rows]


async def test_a_transaction_commits_at_its_end_and_rolls_back_on_an_error(database: Database) -> None:
    async def fail() -> None:
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO things VALUES (2, 2)")
            raise ValueError("no")

    async with database.transaction() as connection:
        await connection.execute("INSERT INTO things VALUES (1, 1)")
    with pytest.raises(ValueError, match="no"):
        await fail()
    assert await sizes(database) == [(1, 1)]


@pytest.mark.parametrize(
    ("row", "constraint"), [("(1, 2)", "things_are_unique"), ("(2, 0)", "sizes_are_positive")]
)
async def test_a_violated_constraint_is_named(database: Database, row: str, constraint: str) -> None:
    async with database.connection() as connection:
        await connection.execute("INSERT INTO things VALUES (1, 1)")
    with pytest.raises(ConstraintViolated) as violated:
        async with database.connection() as connection:
            await connection.execute(f"INSERT INTO things VALUES {row}".encode())  # noqa: S608 — a literal
    assert violated.value.constraint == constraint


async def test_a_concurrent_update_is_unavailable_and_succeeds_when_retried(database: Database) -> None:
    async with database.connection() as connection:
        await connection.execute("INSERT INTO things VALUES (1, 1)")

    async def grow(interfere: bool) -> None:  # noqa: FBT001 — local
        async with database.transaction() as connection:
            await connection.execute("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")
            await connection.execute("SELECT size FROM things WHERE id = 1")
            if interfere:
                await grow(interfere=False)
            await connection.execute("UPDATE things SET size = size + 1 WHERE id = 1")

    with pytest.raises(Unavailable, match="SerializationFailure"):
        await grow(interfere=True)
    await grow(interfere=False)
    assert await sizes(database) == [(1, 3)]


async def test_a_deadlock_is_unavailable_for_one_and_over_for_the_other(database: Database) -> None:
    async with database.connection() as connection:
        await connection.execute("INSERT INTO things VALUES (1, 1), (2, 2)")
    both_hold_one = asyncio.Barrier(2)

    async def lock(first: int, second: int) -> None:
        async with database.transaction() as connection:
            await connection.execute("SELECT 1 FROM things WHERE id = %s FOR UPDATE", (first,))
            await both_hold_one.wait()
            await connection.execute("SELECT 1 FROM things WHERE id = %s FOR UPDATE", (second,))

    results = await asyncio.gather(lock(1, 2), lock(2, 1), return_exceptions=True)
    assert [type(result) for result in results if result is not None] == [Unavailable]


async def test_a_slow_statement_is_unavailable(postgres_url: str) -> None:
    options = DatabaseOptions(statement_timeout=1.0)
    async with Database(postgres_url, options) as database:
        with pytest.raises(Unavailable, match="statement timeout"):
            async with database.connection() as connection:
                await connection.execute("SELECT pg_sleep(60)")
        with pytest.raises(Unavailable, match="statement timeout"):
            async with database.transaction() as connection:
                await connection.execute("SELECT pg_sleep(60)")


async def test_an_exhausted_pool_is_unavailable(postgres_url: str) -> None:
    options = DatabaseOptions(pool_max=1, acquire_timeout=3.0)
    async with Database(postgres_url, options) as database:
        async with database.connection():
            with pytest.raises(Unavailable):
                await database.ping()
        async with database.transaction():
            with pytest.raises(Unavailable):
                async with database.transaction():
                    pass


async def test_connections_carry_the_application_name(database: Database) -> None:
    async with database.connection() as connection:
        row = await (await connection.execute("SHOW application_name")).fetchone()
    assert row == ("kit tests",)


async def test_options_of_the_url_are_kept(postgres_url: str) -> None:
    url = f"{postgres_url}{'&' if '?' in postgres_url else '?'}options=-c%20search_path%3Delsewhere"
    async with Database(url) as database, database.connection() as connection:
        assert await (await connection.execute("SHOW search_path")).fetchone() == ("elsewhere",)
        assert await (await connection.execute("SHOW statement_timeout")).fetchone() == ("10s",)


async def test_a_closed_database_refuses_work(postgres_url: str) -> None:
    database = Database(postgres_url)
    with pytest.raises(RuntimeError, match="not open"):
        await database.ping()


async def test_after_a_restart_the_open_transaction_fails_and_the_next_one_works(
    private_postgres: PrivateServer,
) -> None:
    async def interrupted(database: Database) -> None:
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO things VALUES (1)")
            await asyncio.to_thread(private_postgres.stop)
            await asyncio.to_thread(private_postgres.start)
            await connection.execute("INSERT INTO things VALUES (2)")

    async with Database(private_postgres.url) as database:
        async with database.connection() as connection:
            await connection.execute("CREATE TABLE things (id int)")
        with pytest.raises(Unavailable):
            await interrupted(database)
        async with database.transaction() as connection:
            await connection.execute("INSERT INTO things VALUES (3)")
        async with database.connection() as connection:
            assert await (await connection.execute("SELECT id FROM things")).fetchall() == [(3,)]


async def test_after_a_restart_no_caller_gets_a_dead_connection(private_postgres: PrivateServer) -> None:
    async with Database(private_postgres.url, DatabaseOptions(pool_min=4, pool_max=4)) as database:
        await asyncio.gather(*(database.ping() for _ in range(8)))
        await asyncio.to_thread(private_postgres.kill)
        await asyncio.to_thread(private_postgres.start)
        await asyncio.gather(*(database.ping() for _ in range(8)))


async def test_a_server_that_is_down_is_unavailable(private_postgres: PrivateServer) -> None:
    private_postgres.stop()
    async with Database(private_postgres.url, DatabaseOptions(acquire_timeout=0.3)) as database:
        with pytest.raises(Unavailable):
            await database.ping()
        with pytest.raises(Unavailable):
            async with database.transaction():
                pass
        await asyncio.to_thread(private_postgres.start)
        await eventually(partial(answers, database))


async def answers(database: Database) -> bool:
    with suppress(Unavailable):
        await database.ping()
        return True
    return False


async def test_a_pool_that_goes_by_index_does_so_in_a_small_table_too(
    database: Database, postgres_url: str
) -> None:
    async with database.connection() as connection:
        await connection.execute("INSERT INTO things SELECT n, 1 FROM generate_series(1, 2000) AS n")
    wanted = "EXPLAIN SELECT size FROM things JOIN json_to_recordset('[]') AS w (id int) USING (id)"
    plans = {}
    for by_index in (False, True):
        async with Database(postgres_url, DatabaseOptions(pool_by_index=by_index)) as opened:
            async with opened.connection() as connection:
                rows = await (await connection.execute(wanted)).fetchall()
            plans[by_index] = "\n".join(row[0] for row in rows)
    assert "Seq Scan on things" in plans[False]
    assert "Seq Scan on things" not in plans[True]
    assert "Index" in plans[True]
