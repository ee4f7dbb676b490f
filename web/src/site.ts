import { signal } from "@preact/signals";
import { call } from "./api/call";
import { Refusal } from "./api/refusal";
import type { Site } from "./api/schema";
import { noteServerTime } from "./clock";

/** What the site says of itself; null until it has said it. */
export const site = signal<Site | null>(null);
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
    reachable.value = !error.passing;
    if (error.passing) setTimeout(() => void askSite(), 3000);
  }
}

addEventListener("offline", () => {
  reachable.value = false;
});
addEventListener("online", () => void askSite());
