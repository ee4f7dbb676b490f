import type { Stuck } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { duration } from "../../ui/Time";

/** What is stuck and why, in a sentence. */
export function troubleOf(stuck: Stuck): string {
  return t(`trouble.${stuck.cause}` as Key, {
    n: stuck.count,
    language: stuck.language ?? "",
    lane: stuck.lane ? t(`lane.${stuck.lane}` as Key) : "",
    band: stuck.band ? t(`band.${stuck.band}` as Key) : "",
    wait: duration(stuck.oldest_wait_ms ?? 0),
  });
}

/** What to do about it. */
export const remedyOf = (stuck: Stuck): string => t(`remedy.${stuck.cause}` as Key);
