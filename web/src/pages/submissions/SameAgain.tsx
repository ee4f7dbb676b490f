import { useState } from "preact/hooks";
import type { Language, Problem, Submission } from "../../api/schema";
import { t } from "../../i18n";
import { savePackage } from "../../save";
import { limitsOf } from "../../solve/limits";
import { Copy } from "../../ui/Copy";
import { Failure } from "../../ui/Failure";
import { duration, memory } from "../../ui/Time";
import { useAction, useCall } from "../../use";

interface Given {
  submission: Submission;
  language: Language | undefined;
  compiler: string | null | undefined;
  worker: string | undefined;
}

/** All that decides a verdict, and the line that judges the same at home; for setters the package of that revision. */
export function SameAgain({ submission, language, compiler, worker }: Given) {
  const [open, setOpen] = useState(false);
  const { problem_id: problem, problem_revision: revision, judge_hash: hash, contest_id } = submission;
  // Only who may see what it was judged by is told the hash.
  const query = hash ? { revision } : contest_id ? { contest_id } : {};
  const asked = useCall("GET /api/problems/{problem}", open ? { path: { problem }, query } : null);
  const name = submission.problem_slug ?? "problem";
  const save = useAction(() => savePackage(problem, name, { revision }));
  const line = `deepoj judge ${name}.zip ${language?.source_name ?? "main.txt"} --language ${submission.language} --all-cases`;
  const facts = [
    [t("again.revision"), String(revision)],
    [t("again.hash"), hash?.slice(0, 12)],
    [t("again.compiler"), compiler],
    [t("again.limits"), asked.data?.revision === revision ? limitsText(asked.data, language) : null],
    [t("again.worker"), worker],
  ].filter((each): each is [string, string] => Boolean(each[1]));
  return (
    <details class="panel" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("again.title")}</summary>
      <dl class="facts">
        {facts.map(([title, value]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="row">
        <code class="command">{line}</code> <Copy text={line} bare />
      </p>
      {hash && (
        <p class="actions">
          <button type="button" disabled={save.busy} onClick={() => void save.run()}>
            {t("revisions.package", { n: revision })}
          </button>
        </p>
      )}
      {save.error && <Failure of={save.error} />}
    </details>
  );
}

function limitsText({ limits }: Problem, language: Language | undefined): string {
  const { time, memory: bytes } = limitsOf(limits, language);
  return [time && duration(time), bytes && memory(bytes)].filter(Boolean).join(", ");
}
