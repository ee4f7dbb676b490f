"""Files beside a statement: what a browser does with them."""

from __future__ import annotations

from uuid import uuid4

import httpx
import pytest

from apps.bff.tests.fakes import ToldServices
from deepoj_bff.queries.views.problem import Asset, AssetPart, ObjectRef

PATH = f"/api/problems/{uuid4()}/assets/statement"


def told(services: ToldServices, content_type: str) -> None:
    asset = Asset(name="statement", content_type=content_type, object=ObjectRef(sha256="0" * 64, size=1))
    services.answers["question", "GetAsset"] = AssetPart(header=asset, chunk=None)


async def test_a_pdf_is_shown_in_a_page_of_this_site_when_it_is_asked_for(
    client: httpx.AsyncClient, services: ToldServices
) -> None:
    told(services, "application/pdf")
    shown = (await client.get(PATH, params={"inline": "1"})).headers
    assert (shown["content-type"], shown["content-disposition"]) == ("application/pdf", "inline")
    assert "frame-ancestors 'self'" in shown["content-security-policy"]
    assert shown.get_list("x-frame-options") == ["SAMEORIGIN"]
    kept = (await client.get(PATH)).headers
    assert (kept["content-type"], kept["content-disposition"]) == ("application/octet-stream", "attachment")
    assert "sandbox" in kept["content-security-policy"]
    assert kept["x-frame-options"] == "DENY"


@pytest.mark.parametrize(
    "content_type", ["text/html", "application/pdf; charset=utf-8", "image/svg+xml", "application/xhtml+xml"]
)
async def test_nothing_else_is_framed(
    client: httpx.AsyncClient, services: ToldServices, content_type: str
) -> None:
    told(services, content_type)
    headers = (await client.get(PATH, params={"inline": "true"})).headers
    assert headers["x-frame-options"] == "DENY"
    assert "sandbox" in headers["content-security-policy"]
    assert (headers["content-disposition"] == "inline") is (content_type == "image/svg+xml")
    assert headers["x-content-type-options"] == "nosniff"
