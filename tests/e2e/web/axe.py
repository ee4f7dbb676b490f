"""axe-core in a page whose policy stays on: it runs in a world of its own, as an extension would."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from playwright.sync_api import Page

SCRIPT = files("axe_playwright_python") / "axe.min.js"
LEVELS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


class Axe:
    """Good until the page is loaded again."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)
        frame = self._session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
        made = self._session.send("Page.createIsolatedWorld", {"frameId": frame})
        self._world: int = made["executionContextId"]
        self._evaluate(SCRIPT.read_text() + ";0")

    def violations(self, *rules: str) -> list[str]:
        """Return what breaks these rules, all of WCAG 2.2 AA when none are named."""
        only = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": LEVELS}
        # Only what is wrong leaves the page: all that axe has seen is ten times as much to carry.
        options = json.dumps({"resultTypes": ["violations"], "runOnly": only, "selectors": False})
        found: list[str] = self._evaluate(
            f"axe.run(document, {options}).then(({{ violations }}) => violations.flatMap((each) =>"
            " each.nodes.map((node) => `${each.id}: ${node.html.slice(0, 200)}`)))"
        )
        return found

    def _evaluate(self, expression: str) -> Any:  # noqa: ANN401 — JSON
        answer = self._session.send(
            "Runtime.evaluate",
            {
                "expression": expression, "contextId": self._world,
                "awaitPromise": True, "returnByValue": True,
            },
        )  # fmt: skip
        assert "exceptionDetails" not in answer, answer
        return answer["result"]["value"]
