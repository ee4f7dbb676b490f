import type { DayCount } from "../../api/schema";
import { now } from "../../clock";
import { locale, t } from "../../i18n";

const DAY_MS = 86_400_000;
const WEEKS = 53;
const CELL = 13;

function level(count: number): number {
  return count === 0 ? 0 : count < 3 ? 1 : count < 6 ? 2 : count < 12 ? 3 : 4;
}

/** The days of the last year by how much was submitted on each. */
export function HeatMap({ days }: { days: readonly DayCount[] }) {
  const counts = new Map(days.map((each) => [each.day, each]));
  const today = Math.floor(now.peek() / DAY_MS);
  const first = today - ((WEEKS - 1) * 7 + new Date(today * DAY_MS).getUTCDay());
  const total = days.reduce((sum, each) => sum + each.submitted, 0);
  const month = new Intl.DateTimeFormat(locale.value, { month: "short", timeZone: "UTC" });
  const label = t("heat.label", { n: total });
  return (
    <section class="stack" aria-labelledby="heat-title">
      <h2 id="heat-title">{label}</h2>
      <div class="table-frame" tabIndex={0} role="group" aria-label={label}>
        <svg class="heat" width={WEEKS * CELL + 2} height={8 * CELL + 4} role="img" aria-label={label}>
          {Array.from({ length: WEEKS }, (_, week) => {
            const sunday = new Date((first + week * 7) * DAY_MS);
            return sunday.getUTCDate() <= 7 ? (
              <text key={`m${week}`} x={week * CELL} y={10}>
                {month.format(sunday)}
              </text>
            ) : null;
          })}
          {Array.from({ length: today - first + 1 }, (_, index) => {
            const day = new Date((first + index) * DAY_MS).toISOString().slice(0, 10);
            const found = counts.get(day);
            return (
              <rect key={day} class={`heat-${level(found?.submitted ?? 0)}`} x={Math.floor(index / 7) * CELL} y={16 + (index % 7) * CELL} width={CELL - 2} height={CELL - 2} rx={2}>
                <title>{t("heat.day", { day, submitted: found?.submitted ?? 0, accepted: found?.accepted ?? 0 })}</title>
              </rect>
            );
          })}
        </svg>
      </div>
    </section>
  );
}
