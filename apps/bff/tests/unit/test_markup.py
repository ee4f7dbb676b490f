"""HTML that escapes by itself."""

from __future__ import annotations

import pytest

from deepoj_bff.inbound.http.pages.known import Known, address
from deepoj_bff.inbound.http.pages.markup import Markup, element, joined
from deepoj_bff.inbound.http.pages.template import Template
from deepoj_bff.queries.cache import Encoded

HOSTILE = "</script></title><script>alert(1)</script>\"' onerror=x <!-- & </p>"


def test_what_is_not_markup_is_text() -> None:
    made = element("p", HOSTILE, [1, None, element("b", "x")], title=HOSTILE)
    inside = (
        "&lt;/script&gt;&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;"
        "&quot;&#x27; onerror=x &lt;!-- &amp; &lt;/p&gt;"
    )
    assert made == f'<p title="{inside}">{inside}1<b>x</b></p>'


def test_text_made_of_markup_is_text_again() -> None:
    assert joined([element("b", "x").upper()]) == "&lt;B&gt;X&lt;/B&gt;"


def test_an_attribute_is_there_or_not() -> None:
    made = element("input", class_="a", aria_label="b", tabindex=0, disabled=True, hidden=False, lang=None)
    assert made == '<input class="a" aria-label="b" tabindex="0" disabled="">'


def test_nothing_in_the_answers_ends_the_element_that_they_stand_in() -> None:
    known = Known()
    known.keep("/api/x", Encoded.of(b'{"title":"</script><!--"}'))
    known.parts["</script>"] = b'"<"'
    script = known.script({"name": "</script>"})
    assert b"<" not in script
    assert script.count(b"\\u003c") == 5


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (address("languages"), "/api/languages"),
        (address("problems", "a/b c"), "/api/problems/a%2Fb%20c"),
        (
            address("problems", query=[("search", "a b&c"), ("tag", None), ("level", ""), ("size", 50)]),
            "/api/problems?search=a+b%26c&size=50",
        ),
    ],
)
def test_an_address_is_written_as_the_sites_client_writes_it(made: str, expected: str) -> None:
    assert made == expected


def test_content_that_looks_like_a_part_of_the_page_stays_where_it_is_put() -> None:
    shell = (
        '<html lang="en"><title>Deep-OJ</title></head><body><div id="site"></div>'
        "<noscript>needs a script</noscript></body>"
    )
    page = Template.of(shell).filled(
        "zh", "</head>", ["a.js"], Markup('<div id="site"></div><noscript>'), b"{}"
    )
    assert page.decode() == (
        '<html lang="zh"><title>&lt;/head&gt;</title>'
        '<link rel="expect" blocking="render" href="#end"><link rel="later" href="/assets/a.js"></head><body>'
        '<div id="site"><div id="site"></div><noscript></div>'
        '<script type="application/json">{}</script></body>'
    )


def test_a_page_without_room_for_content_is_refused() -> None:
    with pytest.raises(ValueError, match="the page has no"):
        Template.of("<html></html>")
