import pytest

from deepoj_domain.account.audit import NOWHERE, origin
from deepoj_domain.kernel.errors import InvalidValueError


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("", ""),
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
    ],
)
def test_one_customer_is_one_network_however_many_addresses_it_has(address: str, network: str) -> None:
    assert origin(address, "").network == network


def test_a_user_agent_is_cut_and_cleaned_and_nothing_personal_is_printed() -> None:
    found = origin("192.0.2.7", "curl\n\x1b[31m" + "x" * 400)
    assert found.user_agent.startswith("curl[31mx")
    assert len(found.user_agent) <= 300
    assert "192.0.2.7" not in repr(found)
    assert origin("", "") == NOWHERE


def test_what_is_no_address_is_refused() -> None:
    with pytest.raises(InvalidValueError):
        origin("somewhere", "")
