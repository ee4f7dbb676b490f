"""A certificate that the parts of one server show each other, and that nobody else can have."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from deepoj_kit.embedded.free_ports import LOOPBACK

VALID = timedelta(days=3650)
CLOCK_SLACK = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Certificate:
    authority: Path
    certificate: Path
    key: Path


def issue(directory: Path) -> Certificate:
    """Make a new one for loopback, with an authority that signs it and is forgotten at once."""
    # Imported here: only the embedded server needs it, and it takes a while.
    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID  # noqa: PLC0415

    def signed(name: str, key: ec.EllipticCurvePrivateKey, *extensions: x509.ExtensionType) -> bytes:
        now = datetime.now(UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]))
            .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority")]))
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - CLOCK_SLACK)
            .not_valid_after(now + VALID)
        )
        for extension in extensions:
            builder = builder.add_extension(extension, critical=False)
        return builder.sign(authority_key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = signed("authority", authority_key, x509.BasicConstraints(ca=True, path_length=0))
    certificate = signed(
        "part",
        key,
        x509.SubjectAlternativeName([x509.IPAddress(ip_address(LOOPBACK)), x509.DNSName("localhost")]),
        x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]),
    )
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return Certificate(
        _written(directory / "authority.pem", authority),
        _written(directory / "certificate.pem", certificate),
        _written(directory / "key.pem", secret),
    )


def _written(path: Path, content: bytes) -> Path:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    return path
