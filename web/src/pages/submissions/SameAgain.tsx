import type { Submission } from "../../api/schema";
import { t } from "../../i18n";
import { Copy } from "../../ui/Copy";

/** All that decides a verdict, and the line that judges the same at home. */
export function SameAgain({ submission, file, compiler, worker }: { submission: Submission; file: string; compiler: string | null | undefined; worker: string | undefined }) {
  const line = `deepoj judge ${submission.problem_slug ?? "problem"}.zip ${file} --language ${submission.language} --all-cases`;
  const facts = [
    [t("again.revision"), String(submission.problem_revision)],
    [t("again.hash"), submission.judge_hash?.slice(0, 12)],
    [t("again.compiler"), compiler],
    [t("again.worker"), worker],
  ].filter((each): each is [string, string] => Boolean(each[1]));
  return (
    <details class="panel">
      <summary>{t("again.title")}</summary>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="row">
        <code class="command">{line}</code> <Copy text={line} bare />
      </p>
    </details>
  );
}
