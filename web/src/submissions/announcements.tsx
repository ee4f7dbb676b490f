import type { Submission } from "../api/schema";
import { on } from "../live";
import { recall, remember } from "../store";
import { notify } from "../ui/notices";
import { Verdict } from "../ui/Verdict";

const KEY = "awaited";
const KEPT = 30;

/** A verdict that came while its reader was elsewhere on the site, or between two of its pages, is told there. */
export function startAnnouncements(): void {
  const awaited = new Set(recall<string[]>(KEY, []));
  const hear = (submission: Submission): void => {
    const known = awaited.has(submission.id);
    if (submission.status !== "finished") awaited.add(submission.id);
    else if (awaited.delete(submission.id)) announce(submission);
    if (known !== awaited.has(submission.id)) remember(KEY, [...awaited].slice(-KEPT));
  };
  on("submission", ({ submission }) => hear(submission));
  on("submissions", ({ items }) => items.forEach(hear));
}

function announce({ id, result, problem_title: title }: Submission): void {
  if (!result || document.querySelector(`[data-submission="${id}"]`)) return;
  notify(
    <>
      <Verdict code={result.verdict} /> {title}
    </>,
    { tone: result.verdict === "AC" ? "good" : "bad", href: `/submissions/${id}` },
  );
}
