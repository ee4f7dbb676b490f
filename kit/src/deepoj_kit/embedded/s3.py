"""SeaweedFS as an S3 server on loopback."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from deepoj_kit.embedded.binaries import find_seaweedfs
from deepoj_kit.embedded.certificates import Certificate, issue
from deepoj_kit.embedded.free_ports import LOOPBACK, free_ports
from deepoj_kit.embedded.process import ProcessSpec
from deepoj_kit.private import private_directory

# Without a limit the server keeps 1 GB resident; with this one about 120 MB while idle. With half of it the
# collector never rests and takes a fifth of a core for nothing.
MEMORY_SETTINGS = {"GOMEMLIMIT": "400MiB"}
# Each bucket has one at least. By itself the server allows as many as would fit if all of them were full, and
# on a small disk that is a few.
MOST_VOLUMES = 10_000
# Seconds. S3 and filer end in two; then the volume server may wait half a minute for a connection that nobody
# uses. What was written is in its files by then.
STOP_TIMEOUT = 8.0
PARTS = ("s3", "master", "volume", "filer", "admin")
# Without these the filer and volume ports give every user of the machine all objects, past the S3 keys.
TOKEN_SETTINGS = ("SIGNING", "SIGNING_READ", "FILER_SIGNING", "FILER_SIGNING_READ")
# The same for what the parts say to each other by gRPC, and for pages that tell of paths and sizes: they
# answer nobody who has no certificate of ours.
GRPC_PARTS = ("MASTER", "VOLUME", "FILER", "S3", "ADMIN", "WORKER", "CLIENT")
HTTPS_PARTS = ("MASTER", "VOLUME", "FILER", "ADMIN", "CLIENT")


@dataclass(frozen=True, slots=True)
class S3Access:
    endpoint: str
    access_key: str
    secret_key: str


def s3(data: Path, run: Path, access_key: str, secret_key: str) -> tuple[ProcessSpec, S3Access]:
    """Write the credentials; return how to start the server, and how to reach it."""
    private_directory(data)
    config = data / "identities.json"
    config.touch(mode=0o600)
    config.write_text(json.dumps(_identities(access_key, secret_key)))
    objects = data / "objects"
    objects.mkdir(exist_ok=True)
    ports = free_ports(2 * len(PARTS))
    http_ports = dict(zip(PARTS, ports, strict=False))
    grpc_ports = dict(zip(PARTS, ports[len(PARTS) :], strict=True))
    access = S3Access(f"http://{LOOPBACK}:{http_ports['s3']}", access_key, secret_key)
    argv = (
        str(find_seaweedfs()),
        "-logtostderr=true",
        "mini",
        f"-dir={objects}",
        f"-ip={LOOPBACK}",
        f"-ip.bind={LOOPBACK}",
        *(f"-{part}.port={port}" for part, port in http_ports.items()),
        *(f"-{part}.port.grpc={port}" for part, port in grpc_ports.items()),
        f"-s3.config={config}",
        f"-s3.localSocket={run / 's3.sock'}",
        f"-filer.localSocket={run / 'filer.sock'}",
        "-s3.port.iceberg=0",
        "-s3.port.lance=0",
        "-webdav=false",
        "-admin.ui=false",
        # Master and filer also give away tokens and objects over HTTP; S3 asks them by gRPC.
        "-disableHttp=true",
        "-master.telemetry=false",
        f"-volume.max={MOST_VOLUMES}",
    )
    # SeaweedFS makes these whatever TMPDIR says, and leaves some of them.
    leftovers = tuple(Path(f"/tmp/seaweedfs-{part}-grpc-{port}.sock") for part, port in grpc_ports.items())  # noqa: S108
    spec = ProcessSpec(
        "s3",
        argv,
        ready=lambda: _answers(access),
        environ=MEMORY_SETTINGS | _token_keys(secret_key) | _certificates(issue(data)),
        stop_timeout=STOP_TIMEOUT,
        leftovers=leftovers,
    )
    return spec, access


def _token_keys(secret_key: str) -> dict[str, str]:
    """Derive a key for each kind of token that the server's parts show each other over HTTP."""
    return {
        f"WEED_JWT_{name}_KEY": hashlib.sha256(f"{name}:{secret_key}".encode()).hexdigest()
        for name in TOKEN_SETTINGS
    }


def _certificates(each: Certificate) -> dict[str, str]:
    grpc, https = (
        {
            f"WEED_{kind}_{part}_{name}": str(path)
            for part in parts
            for name, path in (("CERT", each.certificate), ("KEY", each.key), ("CA", each.authority))
        }
        for kind, parts in (("GRPC", GRPC_PARTS), ("HTTPS", HTTPS_PARTS))
    )
    return grpc | https | {"WEED_GRPC_CA": str(each.authority), "WEED_HTTPS_CLIENT_ENABLED": "true"}


def _identities(access_key: str, secret_key: str) -> dict[str, object]:
    return {
        "identities": [
            {
                "name": "deepoj",
                "credentials": [{"accessKey": access_key, "secretKey": secret_key}],
                "actions": ["Admin", "Read", "List", "Tagging", "Write"],
            }
        ]
    }


def _answers(access: S3Access) -> bool:
    # Imported here: it takes as long as the server takes to start, and can do so meanwhile.
    import urllib3  # noqa: PLC0415
    from minio import Minio  # noqa: PLC0415
    from minio.error import MinioException  # noqa: PLC0415

    client = Minio(
        access.endpoint.removeprefix("http://"),
        access_key=access.access_key,
        secret_key=access.secret_key,
        secure=False,
        http_client=urllib3.PoolManager(timeout=2, retries=False),
    )
    try:
        client.list_buckets()
    except (MinioException, urllib3.exceptions.HTTPError):
        return False
    return True
