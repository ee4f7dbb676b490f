"""TLS of a channel and of a server; a socket of this machine needs none."""

from __future__ import annotations

import logging
from pathlib import Path

import grpc

from deepoj_kit.tls import Tls, TlsError

_log = logging.getLogger(__name__)


def of_channel(tls: Tls, address: str) -> grpc.ChannelCredentials | None:
    """Return None where calls go in the clear."""
    if tls.grpc == "off" or address.startswith("unix:"):
        return None
    tls.check()
    return grpc.ssl_channel_credentials(_read(tls.authorities), _read(tls.key), _read(tls.certificate))


def of_server(tls: Tls, address: str) -> grpc.ServerCredentials | None:
    """Return what reads its files anew for every connection: a renewed certificate is shown at once."""
    if tls.grpc == "off" or address.startswith("unix:"):
        return None
    tls.check()
    if tls.certificate is None:
        raise TlsError(
            "whoever is called over TCP has to show a certificate: set tls_certificate and tls_key"
        )

    files = _ServerFiles(tls)
    return grpc.dynamic_ssl_server_credentials(
        files.last, files.renewed, require_client_authentication=tls.grpc == "mutual"
    )


class _ServerFiles:
    def __init__(self, tls: Tls) -> None:
        self._tls = tls
        self.last = _configuration(tls)

    def renewed(self) -> grpc.ServerCertificateConfiguration:
        """Keep what was read before while the files are being replaced."""
        try:
            self._tls.check()
            self.last = _configuration(self._tls)
        except (TlsError, OSError) as error:
            _log.warning("the certificate is not read anew: %s", error)
        return self.last


def _configuration(tls: Tls) -> grpc.ServerCertificateConfiguration:
    pair = (_read(tls.key) or b"", _read(tls.certificate) or b"")
    return grpc.ssl_server_certificate_configuration([pair], _read(tls.authorities))


def _read(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()
