"""TLS to PostgreSQL: `sslmode` of the URL asks for it, the files of the process fill what it leaves open."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

from deepoj_kit.tls.files import Tls

CHECKED: Final = frozenset({"verify-ca", "verify-full"})


def with_tls(url: str, tls: Tls) -> str:
    parts = urlsplit(url)
    given = parse_qs(parts.query)
    if not CHECKED.intersection(given.get("sslmode", ())):
        return url
    files = {"sslrootcert": tls.authorities, "sslcert": tls.certificate, "sslkey": tls.key}
    ours = {name: str(path) for name, path in files.items() if path is not None and name not in given}
    return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, urlencode(ours))))))
