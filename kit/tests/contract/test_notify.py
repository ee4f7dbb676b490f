from __future__ import annotations

import asyncio

from deepoj_kit.backoff import Backoff
from deepoj_kit.postgres import Database, Listener, Notifier
from deepoj_kit.testing.conditions import PATIENCE, eventually, running
from deepoj_kit.testing.plugin import PrivateServer

QUICK = Backoff(first=0.01, cap=0.1)


async def test_a_notification_wakes_the_listener(postgres_url: str) -> None:
    wake, other = asyncio.Event(), asyncio.Event()
    async with Database(postgres_url) as database:
        notifier = Notifier(database, "things")
        async with running(Listener(database, {"things": wake, "others": other}), notifier):
            await wake.wait()
            await other.wait()
            wake.clear()
            other.clear()
            notifier.notify()
            await asyncio.wait_for(wake.wait(), PATIENCE)
            assert not other.is_set()


async def test_silence_does_not_end_the_listening(postgres_url: str) -> None:
    wake = asyncio.Event()
    async with Database(postgres_url) as database:
        notifier = Notifier(database, "things")
        async with running(Listener(database, {"things": wake}, heartbeat=0.001), notifier):
            for _ in range(20):
                await asyncio.wait_for(wake.wait(), PATIENCE)
                wake.clear()
                notifier.notify()
            await asyncio.wait_for(wake.wait(), PATIENCE)


async def test_notifications_asked_for_together_are_sent_as_one(postgres_url: str) -> None:
    async with Database(postgres_url) as database:
        notifier = Notifier(database, "things")
        for _ in range(100):
            notifier.notify()
        listening = await database.connect()
        await listening.execute("LISTEN things")
        async with listening, running(notifier):
            first = [each async for each in listening.notifies(stop_after=1, timeout=PATIENCE)]
            await listening.execute("NOTIFY things, 'end'")
            rest = [each async for each in listening.notifies(stop_after=1, timeout=PATIENCE)]
    assert [each.payload for each in first + rest] == ["", "end"]


async def test_both_survive_a_restart_and_the_listener_looks_once_after_it(
    private_postgres: PrivateServer,
) -> None:
    wake = asyncio.Event()
    async with Database(private_postgres.url) as database:
        notifier = Notifier(database, "things", QUICK)
        async with running(Listener(database, {"things": wake}, QUICK), notifier):
            await wake.wait()
            wake.clear()
            await asyncio.to_thread(private_postgres.stop)
            notifier.notify()
            await asyncio.to_thread(private_postgres.start)
            await asyncio.wait_for(wake.wait(), PATIENCE)

            async def notified_again() -> bool:
                wake.clear()
                notifier.notify()
                await asyncio.wait_for(wake.wait(), PATIENCE)
                return True

            await eventually(notified_again)
