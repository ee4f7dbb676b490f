// One event stream for all tabs of a browser: a browser opens six connections to a host, and a tab's own
// stream each would stop the site. The tab that holds the lock reads; the others hear of it by a channel.
import { computed, effect, signal } from "@preact/signals";
import type { BoardRow, Clarification, Submission, SubmissionDetail, Submissions, Verdict } from "../api/schema";
import { ensureFresh, me, renew } from "../api/session";
import { alone, pause } from "../lock";
import { frames, type Frame } from "./frames";
import { keep, lastHeard, note } from "./position";

export interface Progress {
  submission_id: string;
  done: number;
  total: number;
  verdict: Verdict | null;
  cases: { number: number; verdict: Verdict | null; time_ms: number; memory_bytes: number }[];
}

/** The frames and what they carry. */
export interface Events {
  submissions: Submissions | { items: Submission[] };
  submission: SubmissionDetail;
  progress: Progress;
  row: { contest_id: string; sequence: number; view: string; row: BoardRow };
  reload: { contest_id: string; sequence: number; view: string };
  clarification: { contest_id: string; clarification: Clarification };
  session: { expires_at: string };
}
export type Kind = keyof Events;

/** What a page wants to hear of besides its reader's own submissions. */
export interface Wanted {
  contest: string;
  view?: string;
}

export const connected = signal(false);
const wanted = signal<Wanted | null>(null);
const channel = new BroadcastChannel("deepoj-live");
const heard = new Map<string, Set<(data: never) => void>>();
// Tabs may show different views of a board, and a stream has one.
const OF_A_VIEW = new Set(["row", "reload"]);
const HIDDEN_MS = 60_000;
const SHORTEST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
// Of how long there was none: after a restart all are back in a moment, after an hour they come spread over half a minute.
const SHARE = 5;

type Message = { kind: "frame"; frame: Frame } | { kind: "state"; connected: boolean } | { kind: "want"; wanted: Wanted | null } | { kind: "hello" };

export function on<K extends Kind>(event: K, listener: (data: Events[K]) => void): () => void {
  const listeners = heard.get(event) ?? new Set();
  heard.set(event, listeners);
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let claims = 0;
const LEFT_MS = 1000;

/** Hear of a contest's board and clarifications too, until the function that comes back is called. */
export function want(contest: Wanted): () => void {
  const claim = ++claims;
  const present = wanted.peek();
  if (present?.contest !== contest.contest || present.view !== contest.view) wanted.value = contest;
  channel.postMessage({ kind: "want", wanted: contest } satisfies Message);
  // The next page of the same contest goes on with the same stream.
  return () => {
    setTimeout(() => {
      if (claim === claims) wanted.value = null;
    }, LEFT_MS);
  };
}

function tell(frame: Frame): void {
  for (const listener of heard.get(frame.event) ?? []) listener(frame.data as never);
}

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  switch (data.kind) {
    case "frame":
      tell(data.frame);
      break;
    case "state":
      connected.value = data.connected;
      break;
    case "want":
      if (leading && JSON.stringify(data.wanted) !== JSON.stringify(wanted.peek())) wanted.value = data.wanted;
      break;
    case "hello":
      if (leading) setConnected(connected.peek());
      break;
  }
};

let leading = false;

function setConnected(is: boolean): void {
  connected.value = is;
  channel.postMessage({ kind: "state", connected: is } satisfies Message);
}

/** Read until the tab is hidden for long, nobody is signed in, or something else is wanted. */
async function lead(stop: AbortSignal): Promise<void> {
  leading = true;
  let left = Date.now();
  try {
    while (!stop.aborted) {
      await ensureFresh();
      const outcome = await read(stop, (frame) => {
        note(frame);
        tell(frame);
        channel.postMessage({ kind: "frame", frame } satisfies Message);
      });
      keep();
      if (connected.peek()) left = Date.now();
      setConnected(false);
      if (stop.aborted) return;
      if (outcome === 401 && !(await renew())) return;
      // A board that is not shown to this reader must not cost them their own submissions.
      if ((outcome === 403 || outcome === 404 || outcome === 409) && wanted.peek()) {
        wanted.value = null;
        return;
      }
      const wait = Math.min(Math.max((Date.now() - left) / SHARE, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
      await pause(outcome === 200 ? 200 : wait * (0.5 + Math.random()));
    }
  } finally {
    leading = false;
    setConnected(false);
  }
}

async function read(stop: AbortSignal, each: (frame: Frame) => void): Promise<number> {
  const reader = me.peek()?.id ?? "";
  const query = new URLSearchParams(reader ? { submissions: "mine" } : {});
  const contest = wanted.peek();
  if (contest) {
    query.set("contest", contest.contest);
    if (contest.view) query.set("view", contest.view);
  }
  try {
    const headers: Record<string, string> = { accept: "text/event-stream" };
    const seen = lastHeard(reader, contest && `${contest.contest}:${contest.view ?? "public"}`);
    if (seen) headers["last-event-id"] = seen;
    const response = await fetch(`/api/events?${query}`, { headers, signal: stop });
    if (!response.ok || !response.body) return response.status;
    setConnected(true);
    for await (const frame of frames(response.body)) each(contest && OF_A_VIEW.has(frame.event) ? { ...frame, data: { ...(frame.data as object), view: contest.view ?? "public" } } : frame);
    return 200;
  } catch {
    return 0;
  }
}

/** Begin: the stream is open while somebody is signed in or a contest is watched, and a tab is looked at. */
export function startLive(): void {
  channel.postMessage({ kind: "hello" } satisfies Message);
  let current: AbortController | null = null;
  let leaving: ReturnType<typeof setTimeout> | undefined;
  const visible = signal(!document.hidden);
  const reader = computed(() => me.value?.id ?? null);
  document.addEventListener("visibilitychange", () => {
    clearTimeout(leaving);
    if (document.hidden) leaving = setTimeout(() => (visible.value = false), HIDDEN_MS);
    else visible.value = true;
  });
  effect(() => {
    const followed = wanted.value;
    const needed = visible.value && (reader.value !== null || followed !== null);
    current?.abort();
    current = null;
    if (!needed) return;
    const stop = new AbortController();
    current = stop;
    alone("live", () => lead(stop.signal), stop.signal).catch(() => undefined);
  });
}

