import { me } from "../../api/session";
import type { Problem, ProblemRevision } from "../../api/schema";
import { t } from "../../i18n";
import { atLeast } from "../../roles";

/** How many verdicts come from other tests than the present ones; for judges with a rejudge filled in. */
export function Outdated({ problem, revisions }: { problem: Problem; revisions: readonly ProblemRevision[] }) {
  if (revisions.some((each) => each.outdated_submissions === null)) return <p role="status">{t("outdated.unknown")}</p>;
  const old = revisions.filter((each) => each.outdated_submissions);
  if (old.length === 0) return <p role="status">✓ {t("outdated.none")}</p>;
  const total = old.reduce((sum, each) => sum + (each.outdated_submissions ?? 0), 0);
  const numbers = old.map((each) => each.number).sort((one, other) => one - other);
  return (
    <p class="row" role="status">
      <strong>{t("outdated.some", { n: total })}</strong>
      {atLeast("judge", me.value) ? (
        <a class="button" href={`/admin/rejudges?problem=${encodeURIComponent(problem.slug)}&revisions=${numbers.join(",")}`}>
          {t("outdated.rejudge")}
        </a>
      ) : (
        <span class="muted">{t("outdated.ask_a_judge")}</span>
      )}
    </p>
  );
}
