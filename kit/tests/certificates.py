"""Authorities and certificates as an operator would make them, for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from deepoj_kit.tls import Tls
from deepoj_kit.tls.files import GrpcTls

DAY = timedelta(days=1)
LOOPBACK = "127.0.0.1"


class Authority:
    def __init__(self, directory: Path, name: str) -> None:
        self._directory = directory
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.file = directory / f"{name}.pem"
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        self.file.write_bytes(self._signed(self._name, self._key, 10 * DAY, constraints))

    def issue(
        self, name: str, grpc: GrpcTls = "server", *, host: str = LOOPBACK, ends: timedelta = DAY
    ) -> Tls:
        """Give a process a certificate for `host`, and trust in this authority."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate, secret = self._directory / f"{name}.crt", self._directory / f"{name}.key"
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))])
        certificate.write_bytes(self._signed(subject, key, ends, names))
        secret.touch(mode=0o600)
        secret.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return Tls(grpc, self.file, certificate, secret)

    def trusted(self, grpc: GrpcTls = "server") -> Tls:
        """Trust this authority and show nothing."""
        return Tls(grpc, self.file)

    def _signed(
        self, name: x509.Name, key: ec.EllipticCurvePrivateKey, ends: timedelta, what: x509.ExtensionType
    ) -> bytes:
        now = datetime.now(UTC)
        builder = x509.CertificateBuilder().subject_name(name).issuer_name(self._name)
        builder = builder.public_key(key.public_key()).serial_number(x509.random_serial_number())
        builder = builder.not_valid_before(now - 10 * DAY).not_valid_after(now + ends)
        certificate = builder.add_extension(what, critical=False).sign(self._key, hashes.SHA256())
        return certificate.public_bytes(serialization.Encoding.PEM)
