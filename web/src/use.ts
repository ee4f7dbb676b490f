import { useEffect, useRef, useState } from "preact/hooks";
import { address, call, type Answer, type Input, type Route } from "./api/call";
import { Refusal } from "./api/refusal";
import { me, unconfirmed } from "./api/session";
import { isNew, told } from "./known";

export interface Asked<T> {
  /** The newest answer; an older one stays while the next is awaited. */
  data: T | null;
  error: Refusal | null;
  loading: boolean;
  reload: () => void;
  set: (data: T) => void;
}

const CACHED = 60;
const cache = new Map<string, unknown>();

/** Forget all answers: somebody else is signed in. */
export const forget = (): void => cache.clear();

function keep(key: string, data: unknown): void {
  cache.delete(key);
  cache.set(key, data);
  const oldest = cache.keys().next().value;
  if (cache.size > CACHED && oldest !== undefined) cache.delete(oldest);
}

/**
 * The answer of a route, asked again when the input or the reader changes. What was read before, or came with
 * the page, is shown at once. While a part of the system is away it is asked again by itself.
 */
export function useCall<R extends Route>(route: R, input: Input<R> | null): Asked<Answer<R>> {
  const asked = input ? address(route, input as never) : "";
  const key = input ? `${me.value?.id ?? ""} ${asked}` : "";
  const [, redraw] = useState(0);
  const [round, again] = useState(0);
  const state = useRef<{ key: string; asked: string; data: Answer<R> | null; error: Refusal | null; loading: boolean }>({
    key: "",
    asked: "",
    data: null,
    error: null,
    loading: true,
  });
  if (state.current.key !== key) {
    // Who signs in goes on with what is on the screen; who signs out sees nothing of it any more.
    const shown = me.value && state.current.asked === asked ? state.current.data : null;
    const data = (cache.get(key) ?? shown ?? told(asked, me.value === null) ?? null) as Answer<R> | null;
    state.current = { key, asked, data, error: null, loading: !(me.value === null && isNew(asked)) };
  }
  const known = me.value !== undefined || unconfirmed.value;

  useEffect(() => {
    if (!input || !known || (me.value === null && round === 0 && isNew(asked))) return;
    const stop = new AbortController();
    let later: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<void> => {
      try {
        const data = await call(route, ...([input, { signal: stop.signal }] as never));
        keep(key, data);
        state.current = { key, asked, data, error: null, loading: false };
      } catch (error) {
        if (stop.signal.aborted) return;
        if (!(error instanceof Refusal)) throw error;
        state.current = { ...state.current, error, loading: false };
        if (error.passing) later = setTimeout(() => void ask(), (error.retryAfter ?? 4) * 1000);
      }
      redraw((count) => count + 1);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(later);
    };
  }, [key, round, known]);

  return {
    ...state.current,
    reload: () => again((count) => count + 1),
    set: (data) => {
      keep(key, data);
      state.current = { key, asked, data, error: null, loading: false };
      redraw((count) => count + 1);
    },
  };
}

/** Name the page in the tab. */
export function useTitle(title: string | null | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Deep-OJ` : "Deep-OJ";
  }, [title]);
}

/** Do something with every call of `action` under way known, and its refusal kept. */
export function useAction<A extends unknown[]>(action: (...given: A) => Promise<void>): {
  run: (...given: A) => Promise<void>;
  busy: boolean;
  error: Refusal | null;
  clear: () => void;
} {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Refusal | null>(null);
  const run = async (...given: A): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      await action(...given);
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown;
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { run, busy, error, clear: () => setError(null) };
}

/** Do something again and again while `when` holds and the page is looked at. */
export function useEvery(milliseconds: number, when: boolean, work: () => void): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!when) return;
    const timer = setInterval(() => !document.hidden && latest.current(), milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, when]);
}
