/** A moment as an input of date and time wants it, in the reader's zone; empty for none. */
export function asLocal(at: string | null | undefined): string {
  if (!at) return "";
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment that was typed, or an empty text. */
export const fromLocal = (text: string): string => (text ? new Date(text).toISOString() : "");
