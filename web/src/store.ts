// What a browser keeps. Where it keeps nothing (a private window, a full disk) a tab remembers for itself.
const PREFIX = "deepoj.";
const kept = new Map<string, string>();

export function recall<T>(key: string, otherwise: T): T {
  let text: string | null | undefined;
  try {
    text = localStorage.getItem(PREFIX + key);
  } catch {
    text = null;
  }
  text ??= kept.get(key);
  try {
    return text == null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

/** Returns whether it will be there after a reload. */
export function remember(key: string, value: unknown): boolean {
  const text = JSON.stringify(value);
  try {
    if (value === null || value === undefined) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
    kept.delete(key);
    return true;
  } catch {
    kept.set(key, text);
    return false;
  }
}

export function keysUnder(prefix: string): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX + prefix))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [...kept.keys()].filter((key) => key.startsWith(prefix));
  }
}

/** Hear of a change made by another tab. */
export function onChange(key: string, heard: () => void): () => void {
  const listener = (event: StorageEvent): void => {
    if (event.key === PREFIX + key) heard();
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
