import type { User } from "../api/schema";
import type { Key } from "../i18n";
import { atLeast } from "../roles";

export interface NavigationEntry {
  href: string;
  text: Key;
}

/** What the head of every page leads to, for a reader of this role. */
export function entries(reader: User | null): NavigationEntry[] {
  const found: NavigationEntry[] = [
    { href: "/problems", text: "nav.problems" },
    { href: "/contests", text: "nav.contests" },
  ];
  if (reader) found.push({ href: "/submissions", text: "nav.submissions" });
  if (atLeast("setter", reader)) found.push({ href: "/setter", text: "nav.setter" });
  if (atLeast("judge", reader)) found.push({ href: "/admin", text: "nav.admin" });
  return found;
}
