"""Another user of the machine gets nothing from the embedded store, whatever port or socket they try."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import grpc
import pytest
import urllib3
from minio import Minio

from deepoj_kit.embedded.process import running
from deepoj_kit.embedded.s3 import s3
from deepoj_kit.testing.conditions import eventually

PATIENCE = 90.0
STRANGER = urllib3.PoolManager(timeout=5, retries=False, cert_reqs="CERT_NONE", assert_hostname=False)
PAST_THE_KEYS = (
    ("GET", "/"), ("GET", "/status"), ("GET", "/ui/index.html"), ("GET", "/metrics"), ("GET", "/stats/disk"),
    ("GET", "/dir/assign"), ("GET", "/dir/lookup?volumeId=1"), ("GET", "/dir/status"), ("GET", "/vol/status"),
    ("GET", "/cluster/status"), ("GET", "/buckets/tests/data"), ("PUT", "/buckets/tests/data"),
    ("DELETE", "/buckets/tests/data"), ("POST", "/submit"), ("GET", "/debug/pprof/"),
)  # fmt: skip


@pytest.fixture
def store(private_home: Path) -> Iterator[int]:
    """Give the process of a store that holds an object and listens on all it will ever listen on."""
    spec, access = s3(private_home / "s3", private_home / "run", "key", "long enough to be a secret")
    ports = {int(part.partition("=")[2]) for part in spec.argv if ".port" in part} - {0}
    with running(spec, private_home / "s3.log") as process:
        host = access.endpoint.removeprefix("http://")
        client = Minio(host, access_key=access.access_key, secret_key=access.secret_key, secure=False)
        client.make_bucket("tests")
        client.put_object("tests", "data", io.BytesIO(b"hidden"), 6)
        asyncio.run(eventually(lambda: ports <= set(listening(process.pid)[0])))
        yield process.pid
        assert client.get_object("tests", "data").read() == b"hidden"


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
def test_nothing_of_the_store_answers_without_a_credential(store: int) -> None:
    ports, sockets = listening(store)
    said = {
        (port, scheme, method, path): answer
        for port in ports
        for scheme in ("http", "https")
        for method, path in PAST_THE_KEYS
        if (answer := answered(f"{scheme}://127.0.0.1:{port}{path}", method))
    }
    assert said == {}
    targets = [f"127.0.0.1:{port}" for port in ports] + [f"unix:{path}" for path in sockets]
    assert {target: called(target) for target in targets} == dict.fromkeys(targets, "UNAVAILABLE")


def listening(pid: int) -> tuple[list[int], list[str]]:
    """Return the TCP ports and the named unix sockets that a process listens on."""
    held = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(FileNotFoundError):
            held.add(str(descriptor.readlink()))
    network = Path(f"/proc/{pid}/net")
    tcp = [line.split() for name in ("tcp", "tcp6") for line in (network / name).read_text().splitlines()[1:]]
    unix = [line.split() for line in (network / "unix").read_text().splitlines()[1:]]
    waiting = (row for row in tcp if row[3] == "0A" and f"socket:[{row[9]}]" in held)
    named = (row for row in unix if len(row) > 7 and row[3] == "00010000")
    ports = [int(row[1].rpartition(":")[2], 16) for row in waiting]
    return ports, sorted({row[7] for row in named if f"socket:[{row[6]}]" in held})


def answered(url: str, method: str) -> str:
    """Return what a caller without credentials is told that is more than a refusal."""
    try:
        answer = STRANGER.request(method, url)
    except urllib3.exceptions.HTTPError:
        return ""
    return "" if answer.status >= 400 or not answer.data else f"{answer.status} {answer.data[:80]!r}"


def called(target: str) -> str:
    """Return how a gRPC call without a certificate ends; one that is let in says OK or UNIMPLEMENTED."""
    with grpc.insecure_channel(target) as channel:
        call = channel.unary_unary("/master_pb.Seaweed/Statistics", bytes, bytes)
        try:
            call(b"", timeout=PATIENCE)
        except grpc.RpcError as error:
            return str(error.code().name)
    return "OK"
