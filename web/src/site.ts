import { computed, signal } from "@preact/signals";
import { call } from "./api/call";
import { Refusal } from "./api/refusal";
import type { Site } from "./api/schema";
import { noteServerTime } from "./clock";
import { toldSite } from "./known";

/** What the site says of itself; null until it has said it. */
export const site = signal<Site | null>(null);
/** The same as far as it came with the page. */
export const nameplate = computed(() => site.value ?? toldSite);
/** False while the server cannot be reached. */
export const reachable = signal(true);

/** Ask until there is an answer. */
export async function askSite(): Promise<void> {
  try {
    site.value = await call("GET /api/site");
    noteServerTime(site.value.time);
    reachable.value = true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Whoever answers is reached, also with the word that a part of the judge is away.
    reachable.value = !error.passing || error.requestId !== "";
    if (error.passing) setTimeout(() => void askSite(), 3000);
  }
}

addEventListener("offline", () => {
  reachable.value = false;
});
addEventListener("online", () => void askSite());
