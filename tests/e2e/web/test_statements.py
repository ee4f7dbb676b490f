"""What belongs to a statement is seen in the page, and is of the page in nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.e2e.conftest import System
    from tests.e2e.web.conftest import OpenBrowser

BREAK = "<script>top.document.title='broken'</script>"
FIGURE = f"<svg xmlns='http://www.w3.org/2000/svg' width='40' height='30'>{BREAK}</svg>"
PRINTED = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


def test_formulas_images_and_a_pdf_are_seen_and_a_script_in_them_does_nothing(
    system: System, open_browser: OpenBrowser
) -> None:
    setter = system.one("setter")
    made = system.problem(setter)
    assets = [
        {"name": name, "content_type": kind, "object": system.store(setter, content)}
        for name, kind, content in (
            ("tree.svg", "image/svg+xml", FIGURE),
            ("sum.pdf", "application/pdf", PRINTED),
        )
    ]
    statements = [
        {"locale": "en", "title": "Sum", "markdown": "Add $a_1$ and $b$. ![tree](tree.svg)"},
        {"locale": "zh", "title": "Printed", "markdown": "", "pdf": "sum.pdf"},
    ]
    draft = {"slug": made["slug"], "tags": [], "statements": statements, "assets": assets}
    setter.put(f"/problems/{made['id']}", {"version": made["version"], "draft": draft})
    page = open_browser().open(f"/problems/{made['slug']}")
    expect(page.locator(".statement math").first).to_be_visible()
    figure = page.get_by_role("img", name="tree")
    expect(figure).to_have_js_property("naturalWidth", 40)
    with page.expect_response(lambda answer: "sum.pdf" in answer.url) as asked:
        page.get_by_label("Language of the statement").select_option("zh")
    expect(page.locator("iframe.statement-pdf")).to_be_visible()
    assert asked.value.headers["content-type"] == "application/pdf"
    with page.expect_download() as downloaded:
        page.get_by_role("link", name="Statement as PDF").click()
    assert downloaded.value.path().read_text() == PRINTED
    assert page.title() != "broken"
    without_script = system.guest.http.get(f"/problems/{made['slug']}", headers={"accept-language": "zh"})
    assert f'src="/api/problems/{made["id"]}/assets/sum.pdf?inline=1"' in without_script.text
