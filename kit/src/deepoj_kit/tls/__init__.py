"""Certificates of a process: what it shows, whom it trusts, and until when."""

from deepoj_kit.tls.files import Tls, TlsError

__all__ = ["Tls", "TlsError"]
