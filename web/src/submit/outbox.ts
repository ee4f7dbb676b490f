// A submission that can be neither lost nor doubled: it is kept, with a key made for it, before it is sent, and
// sent with that key until there is an answer. After a reload the next page goes on.
import { effect, signal } from "@preact/signals";
import { call } from "../api/call";
import { Refusal } from "../api/refusal";
import { me } from "../api/session";
import type { NewSubmission } from "../api/schema";
import { alone } from "../lock";
import { randomId } from "../random";
import { onChange, recall, remember } from "../store";
import { forget } from "../use";

export interface Parcel {
  key: string;
  body: NewSubmission;
  title: string;
  madeAt: number;
  /** Null when it was made before anybody was signed in. */
  userId: string | null;
  state: "waiting" | "refused" | "stored";
  tries: number;
  nextAt: number;
  /** Why it was refused, or has to wait. */
  reason: string | null;
  detail: string;
  requestId: string;
  submissionId: string | null;
}

const KEY = "outbox";
const KEPT = 30;
// Refusals that pass by themselves; the answer says when.
const WAITS = new Set(["rate_limited", "too_many_in_flight", "queue_full", "no_worker_alive"]);

export const parcels = signal<Parcel[]>(recall<Parcel[]>(KEY, []));
/** False when the browser keeps nothing: then the tab must stay open. */
export const keeps = signal(true);

function write(change: (parcels: Parcel[]) => Parcel[]): void {
  const next = change(recall<Parcel[]>(KEY, [])).slice(-KEPT);
  keeps.value = remember(KEY, next);
  parcels.value = next;
}

const replace = (parcel: Parcel): void => write((all) => all.map((each) => (each.key === parcel.key ? parcel : each)));

/** Keep a submission and send it. */
export function submit(body: NewSubmission, title: string): string {
  const parcel: Parcel = {
    key: randomId(),
    body,
    title,
    madeAt: Date.now(),
    userId: me.peek()?.id ?? null,
    state: "waiting",
    tries: 0,
    nextAt: 0,
    reason: null,
    detail: "",
    requestId: "",
    submissionId: null,
  };
  write((all) => [...all, parcel]);
  void deliver();
  return parcel.key;
}

/** Do not send it any more. It may have arrived already: its key was used. */
export function withdraw(key: string): void {
  write((all) => all.filter((each) => each.key !== key));
}

export const parcelOf = (key: string | null): Parcel | undefined => parcels.value.find((each) => each.key === key);
/** The newest of a problem, for the page that comes back after a reload. */
export const latestOf = (problemId: string): Parcel | undefined => parcels.value.findLast((each) => each.body.problem_id === problemId);

let delivering = false;

/** Send all that are due, one after the other. */
export async function deliver(): Promise<void> {
  if (delivering) return;
  delivering = true;
  try {
    for (let parcel = due(); parcel; parcel = due()) await sendOne(parcel.key);
  } finally {
    delivering = false;
  }
}

function due(): Parcel | undefined {
  const reader = me.peek()?.id;
  return reader ? recall<Parcel[]>(KEY, []).find((each) => each.state === "waiting" && each.nextAt <= Date.now() && (each.userId ?? reader) === reader) : undefined;
}

async function sendOne(key: string): Promise<void> {
  await alone(`outbox.${key}`, async () => {
    const parcel = recall<Parcel[]>(KEY, []).find((each) => each.key === key);
    if (parcel?.state !== "waiting") return;
    try {
      const stored = await call("POST /api/submissions", { body: parcel.body }, { idempotencyKey: parcel.key });
      replace({ ...parcel, state: "stored", submissionId: stored.submission_id, userId: me.peek()?.id ?? null, body: { ...parcel.body, source: "" } });
      forget();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      replace(after(parcel, error));
    }
  });
}

function after(parcel: Parcel, error: Refusal): Parcel {
  const waits = error.passing || error.status === 401 || WAITS.has(error.reason);
  const backOff = Math.min(2 ** parcel.tries, 30);
  return {
    ...parcel,
    tries: parcel.tries + 1,
    state: waits ? "waiting" : "refused",
    nextAt: Date.now() + (error.retryAfter ?? backOff) * 1000,
    reason: error.reason,
    detail: error.message,
    requestId: error.requestId,
  };
}

export function startOutbox(): void {
  onChange(KEY, () => (parcels.value = recall<Parcel[]>(KEY, [])));
  addEventListener("online", () => {
    write((all) => all.map((each) => (each.state === "waiting" ? { ...each, nextAt: 0 } : each)));
    void deliver();
  });
  effect(() => {
    if (me.value) void deliver();
  });
  setInterval(() => {
    if (parcels.peek().some((each) => each.state === "waiting")) void deliver();
  }, 1000);
}
