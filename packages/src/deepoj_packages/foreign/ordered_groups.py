"""The order in which groups can be judged: each after those it depends on."""

from collections.abc import Mapping
from heapq import heappop, heappush

from deepoj_packages.refusal import invalid, unsupported


def in_order(needs: Mapping[str, tuple[str, ...]], where: str) -> list[str]:
    """As they stand, unless one depends on a later one."""
    for name, wanted in needs.items():
        strange = [need for need in wanted if need not in needs]
        if strange:
            raise invalid(f"{where}: group {name[:40]!r} depends on {strange[0][:40]!r}, which has no tests")
    place = {name: at for at, name in enumerate(needs)}
    waiting = {name: len(set(wanted)) for name, wanted in needs.items()}
    followers: dict[str, list[str]] = {name: [] for name in needs}
    for name, wanted in needs.items():
        for need in set(wanted):
            followers[need].append(name)
    ready = [(place[name], name) for name, count in waiting.items() if not count]
    order = []
    while ready:
        _, name = heappop(ready)
        order.append(name)
        for each in followers[name]:
            waiting[each] -= 1
            if not waiting[each]:
                heappush(ready, (place[each], each))
    stuck = [name for name in needs if waiting[name]]
    if stuck:
        raise unsupported(f"{where}: group {stuck[0][:40]!r} depends on itself through others")
    return order
