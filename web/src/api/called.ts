import { computed, signal } from "@preact/signals";
import type { Sent } from "./refusal";
import { me } from "./session";

/** What was asked of the server, and how that ended; 0: nobody answered. */
export interface Called {
  sent: Sent;
  status: number;
  reader: string;
}

const MOST = 30;
const all = signal<readonly Called[]>([]);
const present = (): string => me.value?.id ?? "";

/** The last calls of this page and reader, the newest first; of what was read again and again the last. */
export const called = computed(() => all.value.filter((each) => each.reader === present()));

export function noteCall(sent: Sent, status: number): void {
  const reader = me.peek()?.id ?? "";
  const others = all.peek().filter((each) => each.reader === reader && !(sent.method === "GET" && each.sent.method === "GET" && each.sent.url === sent.url));
  all.value = [{ sent, status, reader }, ...others].slice(0, MOST);
}
