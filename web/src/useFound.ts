import { useEffect, useState } from "preact/hooks";

const PAUSE_MS = 200;

/** What a search finds, asked once somebody stops typing; nothing for nothing. */
export function useFound<T>(typed: string, ask: (words: string, signal: AbortSignal) => Promise<readonly T[]>): readonly T[] {
  const [found, setFound] = useState<readonly T[]>([]);
  const words = typed.trim();
  useEffect(() => {
    if (!words) return setFound([]);
    const stop = new AbortController();
    const later = setTimeout(() => ask(words, stop.signal).then(setFound, () => undefined), PAUSE_MS);
    return () => {
      clearTimeout(later);
      stop.abort();
    };
  }, [words]);
  return found;
}
