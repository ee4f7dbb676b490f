"""Sessions, passwords, API tokens and administration, through the real user service."""

from __future__ import annotations

from typing import TYPE_CHECKING

import httpx

if TYPE_CHECKING:
    from tests.e2e.conftest import System

PASSWORD = "correct horse battery"
OTHER = "staple battery horse"


def test_a_refresh_token_is_exchanged_and_its_reuse_ends_the_session(system: System) -> None:
    ada = system.person()
    tokens = system.guest.post("/auth/login", {"login": ada.name, "password": PASSWORD}, 200)["tokens"]
    first = {"refresh_token": tokens["refresh_token"]}
    second = system.guest.post("/auth/refresh", first, 200)["tokens"]
    third = system.guest.post("/auth/refresh", {"refresh_token": second["refresh_token"]}, 200)["tokens"]
    assert len({each["refresh_token"] for each in (tokens, second, third)}) == 3
    # Two rotations later the first can only be stolen: everybody of this session is sent away.
    assert system.guest.post("/auth/refresh", first, 401)["reason"] == "refresh_token_reused"
    system.guest.post("/auth/refresh", {"refresh_token": third["refresh_token"]}, 401)


def test_a_browser_lives_on_cookies(system: System) -> None:
    ada = system.person()
    origin = {"origin": system.url}
    with httpx.Client(base_url=system.url, timeout=60) as browser:
        body = {"login": ada.name, "password": PASSWORD, "transport": "cookie"}
        assert browser.post("/api/auth/login", json=body).json()["tokens"] is None
        assert browser.get("/api/users/me").json()["name"] == ada.name
        refused = browser.patch("/api/users/me", json={"bio": "x"}, headers={"origin": "http://evil.test"})
        assert refused.json()["type"] == "urn:deepoj:error:cross-site"
        assert browser.patch("/api/users/me", json={"bio": "x"}, headers=origin).json()["bio"] == "x"
        assert browser.post("/api/auth/refresh", headers=origin).status_code == 200
        assert browser.post("/api/auth/logout", headers=origin).status_code == 204
        assert browser.get("/api/users/me").status_code == 401


def test_a_forgotten_password_is_replaced_by_mail(system: System) -> None:
    ada = system.person()
    email = f"{ada.name}@example.org"
    system.guest.post("/auth/captchas", {"email": email, "purpose": "change_password"}, 202)
    body = {"email": email, "captcha": system.captcha(email, letters=2), "new_password": OTHER}
    system.guest.post("/auth/password", {**body, "captcha": "wrong"}, 400)
    system.guest.post("/auth/password", body, 204)
    system.guest.post("/auth/login", {"login": ada.name, "password": PASSWORD}, 401)
    assert system.log_in(ada.name, OTHER).id == ada.id


def test_an_api_token_works_and_is_revoked(system: System) -> None:
    ada, problem = system.person(), system.problem(system.one("setter"))
    made = ada.post("/users/me/tokens", {"name": "editor", "scopes": ["read", "submit"]})
    assert [each["name"] for each in ada.get("/users/me/tokens")["items"]] == ["editor"]
    tool = system.client(made["secret"])
    body = {"problem_id": problem["id"], "language": "python3", "source": "print(3)"}
    assert tool.post("/api/submissions", json=body).status_code == 201
    assert tool.get("/api/users/me/tokens").json()["reason"] == "scope_required"
    ada.call("DELETE", f"/users/me/tokens/{made['token']['id']}", expect=204)
    assert ada.get("/users/me/tokens")["items"] == []
    system.eventually(lambda: tool.get("/api/users/me").status_code == 401)
    assert ada.get("/users/me")["name"] == ada.name


def test_admins_give_roles_suspend_and_anonymise(system: System) -> None:
    ada = system.person()
    assert system.admin.put(f"/users/{ada.id}/role", {"role": "setter"})["role"] == "setter"
    system.admin.put(f"/users/{ada.id}/status", {"status": "suspended", "reason": "spam"})
    assert system.guest.post("/auth/login", {"login": ada.name, "password": PASSWORD}, 403)["reason"]
    system.admin.call("DELETE", f"/users/{ada.id}", expect=204)
    assert ada.name not in str(system.guest.get(f"/users/{ada.id}"))
    events = system.admin.get(f"/users/{ada.id}/audit-log")["items"]
    assert {"registered", "role_set", "status_set", "deleted"} <= {each["event"] for each in events}
