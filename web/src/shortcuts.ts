import { signal } from "@preact/signals";
import type { Key } from "./i18n";
import { go } from "./router";
import { recall, remember } from "./store";

/** Keys without Ctrl may be turned off: they disturb some screen readers and voice control. */
export const singleKeys = signal(recall<boolean>("keys", true));
export function setSingleKeys(on: boolean): void {
  singleKeys.value = on;
  remember("keys", on);
}

export const paletteOpen = signal(false);
export const helpOpen = signal(false);
export const callsOpen = signal(false);

/** All of them, for the list that `?` shows. */
export const SHORTCUTS: readonly { keys: string; text: Key }[] = [
  { keys: "Ctrl K", text: "keys.palette" },
  { keys: "/", text: "keys.search" },
  { keys: "g h", text: "keys.home" },
  { keys: "g p", text: "keys.problems" },
  { keys: "g s", text: "keys.submissions" },
  { keys: "g c", text: "keys.contests" },
  { keys: "Ctrl Enter", text: "keys.submit" },
  { keys: "Ctrl '", text: "keys.run" },
  { keys: "Esc, Tab", text: "keys.leave_editor" },
  { keys: "?", text: "keys.help" },
];
const PLACES: Record<string, string> = { h: "/", p: "/problems", s: "/submissions", c: "/contests" };
const SEQUENCE_MS = 1000;

function typing(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return Boolean(element?.isContentEditable || element?.shadowRoot || /^(INPUT|TEXTAREA|SELECT)$/.test(element?.tagName ?? ""));
}

export function startShortcuts(): void {
  let goneAt = 0;
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      paletteOpen.value = !paletteOpen.value;
      return;
    }
    if (!singleKeys.value || event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]")) return;
    const following = Date.now() - goneAt < SEQUENCE_MS;
    goneAt = event.key === "g" ? Date.now() : 0;
    const to = following ? PLACES[event.key] : undefined;
    if (to) go(to);
    else if (event.key === "?") helpOpen.value = true;
    else if (event.key === "/") {
      const search = document.querySelector<HTMLElement>("input[type=search]");
      event.preventDefault();
      if (search) search.focus();
      else paletteOpen.value = true;
    }
  });
}
