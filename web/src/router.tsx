import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Failure } from "./ui/Failure";
import { Loading } from "./ui/Loading";

export type Params = Record<string, string>;
export interface PageProps {
  params: Params;
}
export type Page = ComponentType<PageProps>;
export interface Route {
  /** "/problems/:slug"; `:name` stands for one part of the path. */
  pattern: string;
  load: () => Promise<{ default: Page }>;
}

interface Place {
  path: string;
  query: URLSearchParams;
  hash: string;
}

const read = (): Place => ({
  path: location.pathname.length > 1 ? location.pathname.replace(/\/+$/, "") : "/",
  query: new URLSearchParams(location.search),
  hash: location.hash.slice(1),
});

/** Where the reader is. */
export const place = signal<Place>(read());

export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(history.state, "", to);
  else {
    history.replaceState({ scroll: scrollY }, "");
    history.pushState(null, "", to);
  }
  place.value = read();
}

/** Change parts of the query, so that what is shown can be linked to; null takes a part out. */
export function setQuery(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  go(location.pathname + (text ? `?${text}` : "") + location.hash, { replace: true });
}

function onClick(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const anchor = (event.target as Element | null)?.closest?.("a");
  if (!anchor || anchor.target || anchor.hasAttribute("download") || anchor.origin !== location.origin) return;
  if (anchor.pathname.startsWith("/api")) return;
  // A link within the page is the browser's own.
  if (anchor.hash && anchor.pathname === location.pathname && anchor.search === location.search) return;
  event.preventDefault();
  go(anchor.href);
}

/** Heed the browser's own buttons; at once, for they can be used while the first page still loads. */
export function followHistory(): void {
  addEventListener("popstate", () => {
    place.value = read();
  });
}

/** Go to other pages of the site without loading it again. */
export function followLinks(): void {
  document.addEventListener("click", onClick);
}

export function match(pattern: string, path: string): Params | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const params: Params = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = safelyDecoded(value);
    else if (part !== value) return null;
  }
  return params;
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface Shown {
  path: string;
  page: Page;
  params: Params;
}

/** Load the page of an address. */
export async function shownAt(path: string, routes: readonly Route[], missing: Route["load"]): Promise<Shown> {
  const found = routes.map((route) => [route, match(route.pattern, path)] as const).find(([, params]) => params);
  const module = await (found ? found[0].load : missing)();
  return { path, page: module.default, params: found?.[1] ?? {} };
}

/** Shows the page of the present address, and moves the focus to it when it is another one than the first. */
export function Router({ routes, missing, first }: { routes: readonly Route[]; missing: Route["load"]; first: Shown | null }) {
  const path = place.value.path;
  const [shown, show] = useState(first);
  const [failed, fail] = useState(false);
  const arrived = useRef(first?.path);

  useEffect(() => {
    fail(false);
    if (shown?.path === path) return;
    // Asked of the address: an effect is cleaned up only after the next page was painted, and this may end before.
    const isPresent = (): boolean => place.value.path === path;
    shownAt(path, routes, missing).then(
      (found) => isPresent() && show(found),
      () => isPresent() && fail(true),
    );
  }, [path]);

  useEffect(() => {
    if (!shown || arrived.current === shown.path) return;
    arrived.current = shown.path;
    scrollTo(0, (history.state as { scroll?: number } | null)?.scroll ?? 0);
    document.getElementById("content")?.focus({ preventScroll: true });
  }, [shown?.path]);

  // The site was renewed on the server, and the part that is asked for has another name now.
  if (failed) return <Failure of={null} retry={() => location.reload()} />;
  if (!shown) return <Loading />;
  return <shown.page key={shown.path} params={shown.params} />;
}
