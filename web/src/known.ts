// Answers that the server has put into the page: what a guest gets, so that the first page needs no request.
import type { Site } from "./api/schema";

interface Known {
  site: Pick<Site, "name" | "version" | "start_problem">;
  answers: Record<string, unknown>;
  /** What there is more of, or something else for who takes part: shown to a guest, and asked for again. */
  parts: Record<string, unknown>;
}

const text = document.querySelector('body > script[type="application/json"]')?.textContent;
const known = text ? (JSON.parse(text) as Known) : null;
const NEW_MS = 10_000;
// Going back, a browser may show a page as it was long ago.
const returned = (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming | undefined)?.type === "back_forward";

export const toldSite = known?.site ?? null;
/** Whether the page has content already, which stays until there is better. */
export const isFilled = known !== null;

/** What a guest got from an address when the page was made, as far as it is worth showing to this reader. */
export const told = (address: string, guest: boolean): unknown => known?.answers[address] ?? (guest ? known?.parts[address] : undefined);

/** Whether that is all of it, and so new that a guest need not ask again. */
export const isNew = (address: string): boolean => known !== null && address in known.answers && !returned && performance.now() < NEW_MS;
