import { on } from "../live";
import { notify } from "../ui/notices";
import { Verdict } from "../ui/Verdict";

/** A verdict that came while its reader was elsewhere on the site is told there. */
export function startAnnouncements(): void {
  const awaited = new Set<string>();
  on("submission", ({ submission }) => {
    if (submission.status !== "finished") {
      awaited.add(submission.id);
      return;
    }
    const shown = document.querySelector(`[data-submission="${submission.id}"]`);
    if (!awaited.delete(submission.id) || shown || !submission.result) return;
    const { verdict } = submission.result;
    notify(
      <>
        <Verdict code={verdict} /> {submission.problem_title}
      </>,
      { tone: verdict === "AC" ? "good" : "bad", href: `/submissions/${submission.id}` },
    );
  });
}
