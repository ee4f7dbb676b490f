import type { Contest, ContestSummary, Phase } from "../api/schema";
import { t, type Key } from "../i18n";
import { At, Countdown, exactly } from "../ui/Time";

export const isOver = (phase: Phase): boolean => phase === "ended" || phase === "finalized";
export const hasBegun = (phase: Phase): boolean => phase !== "before";

/** How far a contest is, in words and by the server's clock. */
export function PhaseWords({ contest }: { contest: ContestSummary }) {
  const { phase, schedule } = contest;
  return (
    <span class={`phase phase-${phase}`}>
      <span>{t(`phase.${phase}` as Key)}</span>
      {phase === "before" && (
        <span>
          {t("home.starts_in")} <Countdown to={schedule.starts_at} />
        </span>
      )}
      {(phase === "running" || phase === "frozen") && (
        <span>
          {t("home.ends_in")} <Countdown to={schedule.ends_at} />
        </span>
      )}
    </span>
  );
}

/** How it is scored, a sentence each. */
export function rules(contest: Contest): string[] {
  const options = contest.options;
  const said = [t(`format.${contest.format}_text` as Key)];
  if (contest.format === "icpc" || contest.format === "atcoder") said.push(t("format.penalty", { n: options?.penalty_minutes ?? (contest.format === "icpc" ? 20 : 5) }));
  if (contest.format === "codeforces") said.push(t("format.decay", { minutes: options?.decay_minutes ?? 250, points: options?.wrong_try_points ?? 50, floor: options?.floor_percent ?? 30 }));
  return said;
}

/** When the board freezes, and what that means. */
export function freezeText(contest: Contest): string | null {
  const at = contest.schedule.freezes_at;
  if (!at) return null;
  if (contest.unfrozen_at) return t("freeze.over", { time: exactly(contest.unfrozen_at) });
  if (contest.phase === "frozen") return t("freeze.now", { time: exactly(at) });
  if (contest.phase === "ended") return t("freeze.still", { time: exactly(at) });
  if (contest.phase === "finalized") return null;
  return t("freeze.coming", { time: exactly(at) });
}

/** Start and end in the reader's zone, which is named. */
export function ScheduleFacts({ contest }: { contest: Contest }) {
  const { starts_at: starts, ends_at: ends, freezes_at: freezes, removed } = contest.schedule;
  return (
    <dl class="facts">
      <div>
        <dt>{t("schedule.starts")}</dt>
        <dd><At at={starts} /></dd>
      </div>
      <div>
        <dt>{t("schedule.ends")}</dt>
        <dd><At at={ends} /> ({lengthText(Date.parse(ends) - Date.parse(starts))})</dd>
      </div>
      {freezes && (
        <div>
          <dt>{t("schedule.freezes")}</dt>
          <dd><At at={freezes} /></dd>
        </div>
      )}
      {(removed ?? []).map((each) => (
        <div key={each.from}>
          <dt>{t("schedule.removed")}</dt>
          <dd><At at={each.from} /> – <At at={each.before} /></dd>
        </div>
      ))}
      <div>
        <dt>{t("schedule.zone")}</dt>
        <dd>{Intl.DateTimeFormat().resolvedOptions().timeZone}</dd>
      </div>
    </dl>
  );
}

/** "5 h", "2 h 30 min". */
export function lengthText(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  return [hours ? t("schedule.hours", { n: hours }) : "", minutes % 60 || !hours ? t("schedule.minutes", { n: minutes % 60 }) : ""].filter(Boolean).join(" ");
}
