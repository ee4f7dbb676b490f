import { useEffect } from "preact/hooks";
import type { ContestDetail } from "../api/schema";
import { serverNow } from "../clock";
import { useCall, type Asked } from "../use";
import { follow } from "./follow";
import { hasBegun } from "./words";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A contest and one's part in it, read again when it starts, freezes and ends, and followed live. */
export function useContest(id: string, wantedView?: string): Asked<ContestDetail> {
  const asked = useCall("GET /api/contests/{contest_id}", { path: { contest_id: id } });
  const contest = asked.data?.contest;
  const { starts_at: starts, freezes_at: freezes, ends_at: ends } = contest?.schedule ?? {};
  const virtualStart = asked.data?.participant?.virtual_start;

  useEffect(() => {
    const moments = [starts, freezes, ends].flatMap((at) => (at ? [Date.parse(at) - serverNow()] : []));
    const next = Math.min(...moments.filter((wait) => wait > 0));
    if (!Number.isFinite(next) || next > LONGEST_TIMER_MS) return;
    // A moment later, so that the server's own clock has passed it.
    const later = setTimeout(asked.reload, next + 300);
    return () => clearTimeout(later);
  }, [starts, freezes, ends, contest?.phase]);

  const usual = asked.data?.staff ? "admin" : asked.data?.participant ? "own" : "public";
  const view = wantedView ?? usual;
  useEffect(() => {
    // Before the start there is no board to follow, but for the staff.
    if (contest && (hasBegun(contest.phase) || usual === "admin")) return follow({ contest: contest.id, view: usual, until: contest.schedule.ends_at}, view);
    return undefined;
  }, [contest?.id, contest?.phase, view, usual, virtualStart]);
  return asked;
}
