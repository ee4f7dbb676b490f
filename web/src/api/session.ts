import { signal } from "@preact/signals";
import type { User } from "./schema";
import { alone } from "../lock";
import { recall, remember } from "../store";

/** Who is signed in: undefined while nobody knows yet, null for a guest. */
export const me = signal<User | null | undefined>(undefined);
/** A session that was here has ended; what was typed waits for the next one. */
export const expired = signal(false);
/** Nobody can tell who is signed in at the moment: whoever it was is taken for the reader until then. */
export const unconfirmed = signal(false);

// The access cookie lives five minutes and scripts cannot see it. When it was made is kept instead,
// so that it is renewed before it ends and no request has to fail for it.
const MADE = "session";
const GOOD_FOR_MS = 4 * 60_000;
const KNOWN = "reader";
const ASK_AGAIN_MS = 3000;
const channel = new BroadcastChannel("deepoj-session");

channel.onmessage = (message: MessageEvent<User | null>) => {
  me.value = message.data;
  if (message.data) expired.value = false;
};

const madeAt = (): number => recall<number>(MADE, 0);
/** Whether an answer says nothing about the session: there is none, or its giver is away or busy. */
const isPassing = (response: Response | null): boolean => !response || response.status >= 500 || response.status === 429;

function know(user: User): void {
  remember(KNOWN, user);
  unconfirmed.value = false;
  me.value = user;
}

export function begin(user: User): void {
  remember(MADE, Date.now());
  expired.value = false;
  know(user);
  channel.postMessage(user);
}

export function end({ unasked = false } = {}): void {
  const known = Boolean(me.peek());
  remember(MADE, 0);
  remember(KNOWN, null);
  unconfirmed.value = false;
  me.value = null;
  expired.value = unasked && known;
  channel.postMessage(null);
}

/** The profile changed: all tabs show it. */
export function update(user: User): void {
  know(user);
  channel.postMessage(user);
}

export async function ensureFresh(): Promise<void> {
  const made = madeAt();
  if (made > 0 && Date.now() - made > GOOD_FOR_MS) await renew();
}

/** Renew the session. A refresh token is good once, so only one tab of a browser may do it at a time. */
export async function renew(): Promise<boolean> {
  const asked = Date.now();
  if (madeAt() === 0) return false;
  return alone("refresh", async () => {
    if (madeAt() >= asked) return true;
    // Whoever had this turn before found that the session has ended, and has said so.
    if (madeAt() === 0) return false;
    const response = await fetch("/api/auth/refresh", { method: "POST" }).catch(() => null);
    if (response?.ok) {
      begin(((await response.json()) as { user: User }).user);
      return true;
    }
    if (!isPassing(response)) end({ unasked: true });
    return false;
  });
}

/** Find out who is signed in, as often as it takes; a guest costs no request. */
export async function whoAmI(): Promise<void> {
  if (madeAt() === 0) {
    me.value = null;
    return;
  }
  me.value ??= recall<User | undefined>(KNOWN, undefined);
  await ensureFresh();
  const response = await fetch("/api/users/me").catch(() => null);
  if (madeAt() === 0) return;
  if (response?.ok) return know((await response.json()) as User);
  if (response?.status === 401 && (await renew()) && me.peek()) return;
  if (response?.status !== 401 && !isPassing(response)) end({ unasked: true });
  if (madeAt() === 0) return;
  unconfirmed.value = true;
  setTimeout(() => void whoAmI(), ASK_AGAIN_MS);
}
