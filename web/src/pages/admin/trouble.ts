import type { Language, Stuck } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { duration } from "../../ui/Time";

/** What is stuck and why, in a sentence. */
export function troubleOf(stuck: Stuck): string {
  return t(`trouble.${stuck.cause}` as Key, {
    n: stuck.count,
    names: stuck.names.join(", "),
    language: stuck.language ?? "",
    needs: stuck.needs ?? "",
    lane: stuck.lane ? t(`lane.${stuck.lane}` as Key) : "",
    band: stuck.band ? t(`band.${stuck.band}` as Key) : "",
    wait: duration(stuck.oldest_wait_ms ?? 0),
  });
}

/** What to do about it. */
export function remedyOf(stuck: Stuck, languages: readonly Language[]): string {
  const hint = languages.find((each) => each.slug === stuck.language)?.install_hint;
  return t(`remedy.${stuck.cause}` as Key) + (stuck.cause === "no_worker_for_language" && hint ? ` (${hint})` : "");
}
