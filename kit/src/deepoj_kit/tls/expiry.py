"""Tells when certificates end, before they do."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from datetime import timedelta
from pathlib import Path
from typing import Final

from deepoj_kit.telemetry import gauge
from deepoj_kit.tls.files import Tls

LOOK_AGAIN: Final = timedelta(minutes=10)

_EXPIRY = gauge(
    "tls_certificate_expiry_timestamp_seconds",
    "When the first certificate of a file ends, in seconds since 1970",
    ("file",),
)
_log = logging.getLogger(__name__)


async def watch_expiry(tls: Tls, stop: asyncio.Event) -> None:
    """Look until stopped: files are renewed while a process runs."""
    while not stop.is_set():
        for name, path in (("tls_ca", tls.authorities), ("tls_certificate", tls.certificate)):
            if path is not None:
                await asyncio.to_thread(_tell, name, path)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), LOOK_AGAIN.total_seconds())


def _tell(name: str, path: Path) -> None:
    # Imported here: most processes have no certificate, and it takes a while.
    from cryptography import x509  # noqa: PLC0415

    try:
        ends = min(each.not_valid_after_utc for each in x509.load_pem_x509_certificates(path.read_bytes()))
    except (OSError, ValueError) as error:
        _log.warning("%s names %s, whose end cannot be read: %s", name, path, error)
        return
    _EXPIRY.set(ends.timestamp(), file=name)
