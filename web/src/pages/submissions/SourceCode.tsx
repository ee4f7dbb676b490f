import type { Submission } from "../../api/schema";
import { t } from "../../i18n";
import { go } from "../../router";
import { chooseLanguage, keepDraft } from "../../solve/drafts";
import { Copy } from "../../ui/Copy";
import { useCall } from "../../use";

/** The source as it was sent; it can be copied, or taken back into the editor. */
export function SourceCode({ submission, file }: { submission: Submission; file: string }) {
  const { data } = useCall("GET /api/submissions/{submission_id}/source", { path: { submission_id: submission.id } });
  if (!data?.source) return null;
  const edit = (): void => {
    const subject = submission.contest_id ? `${submission.contest_id}.${submission.problem_id}` : submission.problem_id;
    keepDraft(subject, submission.language, data.source);
    chooseLanguage(subject, submission.language);
    go(submission.contest_id && submission.contest_label ? `/contests/${submission.contest_id}/${submission.contest_label}` : `/problems/${submission.problem_slug ?? submission.problem_id}`);
  };
  return (
    <section class="stack" aria-labelledby="source-title">
      <div class="row spread">
        <h2 id="source-title">{t("solve.source")}</h2>
        <span class="row">
          <span class="small muted">
            {file}, {t("submission.bytes", { n: submission.source_bytes })}
          </span>
          <Copy text={data.source} />
          <button type="button" onClick={edit}>
            {t("submission.edit")}
          </button>
        </span>
      </div>
      <pre class="output source" tabIndex={0}>
        {data.source.split("\n").map((line, index) => (
          <span key={index} class="source-line">
            {line}
            {"\n"}
          </span>
        ))}
      </pre>
    </section>
  );
}
