import type { Verdict as Code } from "../api/schema";
import { t, type Key } from "../i18n";
import { duration } from "../ui/Time";
import { SIGNS } from "../ui/Verdict";

export interface Case {
  number: number;
  verdict: Code | null;
  time_ms: number;
}

// More are no overview.
const MOST = 200;

/** The cases as a row of signs that grows while they are judged; of many the first, and how many more there are. */
export function CaseStrip({ cases, total }: { cases: readonly Case[]; total: number }) {
  const passed = cases.filter((each) => each.verdict === "AC").length;
  const waiting = Math.max(0, Math.min(total, MOST) - cases.length);
  return (
    <div class="case-strip" role="img" aria-label={t("cases.summary", { passed, judged: cases.length, total })}>
      {cases.slice(0, MOST).map((each) => (
        <span key={each.number} class={`case-sign ${each.verdict ? `verdict-${each.verdict}` : "case-skipped"}`} title={`${each.number}: ${each.verdict ? t(`verdict.${each.verdict}` as Key) : t("cases.skipped")}, ${duration(each.time_ms)}`}>
          {each.verdict ? SIGNS[each.verdict] : "·"}
        </span>
      ))}
      {Array.from({ length: waiting }, (_, index) => (
        <span key={`w${index}`} class="case-sign case-waiting" />
      ))}
      {total > MOST && <span class="small muted">+{total - MOST}</span>}
    </div>
  );
}
