import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { call } from "../api/call";
import { end, expired, me, unconfirmed } from "../api/session";
import { chooseLocale, LOCALE_NAMES, LOCALES, locale, t, type Key } from "../i18n";
import { go, place } from "../router";
import { callsOpen, helpOpen, paletteOpen } from "../shortcuts";
import { nameplate, reachable } from "../site";
import { theme, THEMES } from "../theme";
import { Icon } from "./Icon";
import { entries } from "./navigation";

function Links() {
  const path = place.value.path;
  return (
    <ul class="nav-links">
      {entries(me.value ?? null).map((entry) => (
        <li key={entry.href}>
          <a href={entry.href} aria-current={path === entry.href || path.startsWith(`${entry.href}/`) ? "page" : undefined}>
            {t(entry.text)}
          </a>
        </li>
      ))}
    </ul>
  );
}

async function signOut(): Promise<void> {
  await call("POST /api/auth/logout", { body: {} }).catch(() => undefined);
  end();
  go("/");
}

function Account() {
  const reader = me.value;
  const [open, setOpen] = useState(false);
  if (reader === undefined) return <span class="account-room" />;
  if (reader === null) {
    const back = place.value.path === "/login" ? "" : `?next=${encodeURIComponent(place.value.path)}`;
    return (
      <a class="button" href={`/login${back}`}>
        {t("nav.sign_in")}
      </a>
    );
  }
  const name = reader.display_name || reader.name;
  return (
    <details
      class="menu"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      onKeyDown={(event) => {
        if (event.key === "Escape") setOpen(false);
      }}
      onFocusOut={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget as Node)) setOpen(false);
      }}
    >
      <summary>
        <Icon name="user" /> <span class="account-name">{name}</span>
      </summary>
      <ul onClick={() => setOpen(false)}>
        <li>
          <a href={`/u/${reader.name}`}>{t("nav.profile")}</a>
        </li>
        <li>
          <a href="/settings/profile">{t("nav.settings")}</a>
        </li>
        <li>
          <button type="button" class="link" onClick={() => void signOut()}>
            {t("nav.sign_out")}
          </button>
        </li>
      </ul>
    </details>
  );
}

function Banner() {
  if (!reachable.value) return <p class="banner banner-bad" role="status">{t("state.offline")}</p>;
  if (unconfirmed.value) return <p class="banner" role="status">{t("reason.user_unavailable")} {t("state.asked_again")}</p>;
  if (expired.value) {
    return (
      <p class="banner" role="status">
        {t("state.expired")} <a href={`/login?next=${encodeURIComponent(place.value.path)}`}>{t("nav.sign_in")}</a>
      </p>
    );
  }
  return null;
}

function Foot() {
  return (
    <footer class="foot">
      <span class="muted">
        {nameplate.value?.name ?? "Deep-OJ"} {nameplate.value?.version}
      </span>
      <span class="foot-tools">
        <label>
          <span class="visually-hidden">{t("look.theme")}</span>
          <select value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as typeof theme.value)}>
            {THEMES.map((each) => (
              <option key={each} value={each}>
                {t(`theme.${each}` as Key)}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span class="visually-hidden">{t("look.language")}</span>
          <select value={locale.value} onChange={(event) => void chooseLocale(event.currentTarget.value as typeof locale.value)}>
            {LOCALES.map((each) => (
              <option key={each} value={each} lang={each}>
                {LOCALE_NAMES[each]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="link" onClick={() => (helpOpen.value = true)}>
          {t("keys.title")}
        </button>
        <button type="button" class="link" onClick={() => (callsOpen.value = true)}>
          {t("calls.title")}
        </button>
        <a href="/api/openapi" target="_blank" rel="noopener">
          API
        </a>
      </span>
    </footer>
  );
}

/** What all pages have around them. */
export function Layout({ children }: { children: ComponentChildren }) {
  return (
    <>
      <a class="skip" href="#content">
        {t("nav.skip")}
      </a>
      <header class="head">
        <nav aria-label={t("nav.label")}>
          <a class="brand" href="/">
            {nameplate.value?.name ?? "Deep-OJ"}
          </a>
          <Links />
        </nav>
        <div class="head-tools">
          <button type="button" class="quiet palette-button" onClick={() => (paletteOpen.value = true)}>
            <Icon name="search" />
            <span class="visually-hidden">{t("palette.label")}</span> <kbd>Ctrl K</kbd>
          </button>
          <Account />
        </div>
      </header>
      <Banner />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Foot />
    </>
  );
}
