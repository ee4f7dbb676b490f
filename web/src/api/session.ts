import { signal } from "@preact/signals";
import type { User } from "./schema";
import { alone } from "../lock";
import { recall, remember } from "../store";

/** Who is signed in: undefined while nobody knows yet, null for a guest. */
export const me = signal<User | null | undefined>(undefined);
/** A session that was here has ended; what was typed waits for the next one. */
export const expired = signal(false);

// The access cookie lives five minutes and scripts cannot see it. When it was made is kept instead,
// so that it is renewed before it ends and no request has to fail for it.
const MADE = "session";
const GOOD_FOR_MS = 4 * 60_000;
const channel = new BroadcastChannel("deepoj-session");

channel.onmessage = (message: MessageEvent<User | null>) => {
  me.value = message.data;
  if (message.data) expired.value = false;
};

const madeAt = (): number => recall<number>(MADE, 0);

export function begin(user: User): void {
  remember(MADE, Date.now());
  expired.value = false;
  me.value = user;
  channel.postMessage(user);
}

export function end({ unasked = false } = {}): void {
  const known = Boolean(me.peek());
  remember(MADE, 0);
  me.value = null;
  expired.value = unasked && known;
  channel.postMessage(null);
}

/** The profile changed: all tabs show it. */
export function update(user: User): void {
  me.value = user;
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
    const response = await fetch("/api/auth/refresh", { method: "POST" }).catch(() => null);
    if (response?.ok) {
      begin(((await response.json()) as { user: User }).user);
      return true;
    }
    if (response && response.status < 500 && response.status !== 429) end({ unasked: true });
    return false;
  });
}

/** Find out who is signed in; a guest costs no request. */
export async function whoAmI(): Promise<void> {
  if (madeAt() === 0) {
    me.value = null;
    return;
  }
  await ensureFresh();
  if (me.peek()) return;
  let response = await fetch("/api/users/me").catch(() => null);
  if (response?.status === 401 && (await renew())) response = await fetch("/api/users/me").catch(() => null);
  if (response?.ok) me.value = (await response.json()) as User;
  else if (!me.peek()) me.value = null;
}
