import type { Attempt, Submission } from "../../api/schema";
import { find, t } from "../../i18n";
import { clockTime, duration, exactly } from "../../ui/Time";

interface Moment {
  at: string;
  text: string;
}

function moments(submission: Submission, attempts: readonly Attempt[]): Moment[] {
  const found: Moment[] = [];
  if (submission.submitted_at) found.push({ at: submission.submitted_at, text: t("life.submitted") });
  for (const each of attempts) {
    if (each.started_at) found.push({ at: each.started_at, text: each.worker ? t("life.taken", { worker: each.worker, attempt: each.attempt }) : t("life.taken_by_judge", { attempt: each.attempt }) });
    if (each.ended_at && each.outcome && each.outcome !== "finished") {
      const why = each.reason ? ` (${each.reason})` : "";
      found.push({ at: each.ended_at, text: (find(`life.${each.outcome}`) ?? each.outcome) + why });
    }
  }
  if (submission.finished_at) found.push({ at: submission.finished_at, text: find(`status.${submission.status}`) ?? submission.status });
  return found;
}

/** What happened to a submission, and when. */
export function LifeLine({ submission, attempts }: { submission: Submission; attempts: readonly Attempt[] }) {
  const found = moments(submission, attempts);
  const first = found[0] ? Date.parse(found[0].at) : 0;
  return (
    <section class="stack" aria-labelledby="life-title">
      <h2 id="life-title">{t("life.title")}</h2>
      <ol class="life">
        {found.map((moment, index) => (
          <li key={index}>
            <time dateTime={moment.at} title={exactly(moment.at)} class="numbers">
              {index ? `+${duration(Date.parse(moment.at) - first)}` : clockTime(moment.at)}
            </time>
            <span>{moment.text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
