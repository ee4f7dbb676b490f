"""Networks as operators write them."""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network

from deepoj_domain.kernel.errors import InvalidValueError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def networks(what: str, texts: Iterable[str]) -> tuple[Network, ...]:
    return tuple(_network(what, each) for each in texts)


def _network(what: str, text: str) -> Network:
    try:
        return ip_network(text, strict=False)
    except ValueError as error:
        message = f"{what} has {text!r}, which is no network such as 10.0.0.0/8 ({error})"
        raise InvalidValueError("network_malformed", message) from error
