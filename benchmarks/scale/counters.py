"""What PostgreSQL, Redis and processes have done so far, by their own counts."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
from redis import Redis

_DATABASE: Final = """
SELECT xact_commit + xact_rollback AS transactions, tup_inserted + tup_updated + tup_deleted AS rows_written,
    tup_fetched AS rows_read, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint AS wal_bytes
FROM pg_stat_database WHERE datname = current_database()
"""
_SYNCS: Final = "SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal'"
# What a server does for whoever asks it for its counts.
_OURS: Final = frozenset({"cmdstat_info", "cmdstat_config", "cmdstat_auth", "cmdstat_hello"})
_MS: Final = 1000 / os.sysconf("SC_CLK_TCK")


class _Stat(NamedTuple):
    parent: int
    own: int
    children: int


class Postgres:
    """Its counts, without those of this connection. A backend tells its own after ten idle seconds."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._asked = 0
        backend = self._connection.info.backend_pid
        self._backend = backend
        self._postmaster = _stat(backend).parent

    def read(self) -> Counter[str]:
        with self._connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_force_next_flush()")
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            (row,) = cursor.execute(_DATABASE).fetchall()
            (syncs,) = cursor.execute(_SYNCS).fetchall()
        names = ("transactions", "rows_written", "rows_read", "wal_bytes")
        found = Counter(dict(zip(names, map(int, row), strict=True)))
        self._asked += 4
        found["transactions"] -= self._asked
        found["wal_syncs"] = int(syncs[0])
        found["cpu_us"] = round(self._cpu_ms() * 1000)
        return found

    def finished(self) -> int:
        self._asked += 1
        counted = "SELECT count(*) FROM record.submissions WHERE status = 'FINISHED'"
        (row,) = self._connection.execute(counted).fetchall()
        return int(row[0])

    def _cpu_ms(self) -> float:
        """Of the server and all its processes, those that have ended included, without ours."""
        server = _stat(self._postmaster)
        total = server.own + server.children
        for each in Path("/proc").iterdir():
            if each.name.isdigit() and int(each.name) != self._backend:
                try:
                    stat = _stat(int(each.name))
                except (FileNotFoundError, ProcessLookupError):
                    continue
                if stat.parent == self._postmaster:
                    total += stat.own
        return total * _MS


class RedisServer:
    def __init__(self, url: str) -> None:
        self._redis: Redis = Redis.from_url(url, protocol=2)

    def read(self) -> Counter[str]:
        info = self._redis.info("everything")
        found: Counter[str] = Counter()
        for name, each in info.items():
            if name.startswith("cmdstat_") and name not in _OURS:
                found[f"command {name.removeprefix('cmdstat_')}"] = int(each["calls"])
                found["commands"] += int(each["calls"])
        found["bytes_in"] = int(info["total_net_input_bytes"])
        found["bytes_out"] = int(info["total_net_output_bytes"])
        found["memory"] = int(info["used_memory"])
        found["cpu_us"] = round((info["used_cpu_user"] + info["used_cpu_sys"]) * 1e6)
        return found


def cpu_us(pids: Mapping[str, int]) -> Counter[str]:
    """Of processes, by name."""
    return Counter({name: round(_stat(pid).own * _MS * 1000) for name, pid in pids.items()})


def _stat(pid: int) -> _Stat:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return _Stat(int(fields[1]), int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14]))
