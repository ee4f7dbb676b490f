import { signal } from "@preact/signals";

// How far the server's clock is ahead of this machine's, by the answer that says it most exactly.
let ahead = 0;

/** Ticks once a second for whatever counts down. */
export const now = signal(Date.now());

export function noteServerTime(date: string | null): void {
  const told = date ? Date.parse(date) : NaN;
  if (Number.isNaN(told)) return;
  const difference = told - Date.now();
  // The header counts whole seconds: a difference below that says nothing.
  if (Math.abs(difference - ahead) > 1500) ahead = difference;
}

export const serverNow = (): number => Date.now() + ahead;

setInterval(() => {
  if (!document.hidden) now.value = serverNow();
}, 1000);
document.addEventListener("visibilitychange", () => {
  now.value = serverNow();
});
