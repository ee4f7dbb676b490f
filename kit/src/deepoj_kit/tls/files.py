"""The files of certificates, as set."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

GrpcTls = Literal["off", "server", "mutual"]


class TlsError(Exception):
    """What is wrong with the files, as a sentence for whoever set them."""


@dataclass(frozen=True, slots=True)
class Tls:
    """Nothing is read before it is needed."""

    grpc: GrpcTls = "off"
    authorities: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    @property
    def used(self) -> bool:
        return self.authorities is not None or self.certificate is not None

    def check(self) -> None:
        """Raise TlsError unless all files can be read and belong together."""
        if (self.certificate is None) != (self.key is None):
            raise TlsError("tls_certificate and tls_key belong together: set both or neither")
        if self.grpc != "off" and self.authorities is None:
            raise TlsError(f"tls is {self.grpc}, so tls_ca has to name the authorities to trust")
        if self.grpc == "mutual" and self.certificate is None:
            raise TlsError("tls is mutual, so tls_certificate and tls_key have to be set")
        if self.used:
            self.context()

    def context(self) -> ssl.SSLContext:
        """Make what a client needs: the system's authorities and ours, and our certificate."""
        context = ssl.create_default_context()
        if self.authorities is not None:
            with _told(f"tls_ca names {self.authorities}"):
                context.load_verify_locations(self.authorities)
        if self.certificate is not None and self.key is not None:
            with _told(f"tls_certificate and tls_key name {self.certificate} and {self.key}"):
                context.load_cert_chain(self.certificate, self.key)
        return context


@contextlib.contextmanager
def _told(named: str) -> Iterator[None]:
    try:
        yield
    except ssl.SSLError as error:
        reason = (error.reason or "no certificate is in it").lower().replace("_", " ")
        raise TlsError(f"{named}, which cannot be used: {reason}") from error
    except OSError as error:
        raise TlsError(f"{named}, which cannot be read: {error.strerror}") from error
