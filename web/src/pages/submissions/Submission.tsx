import { call } from "../../api/call";
import { me } from "../../api/session";
import type { Submission as Row, SubmissionDetail } from "../../api/schema";
import { t } from "../../i18n";
import type { PageProps } from "../../router";
import { useLanguages } from "../../solve/languages";
import { CaseStrip } from "../../submissions/CaseStrip";
import { ProblemName } from "../../submissions/SubmissionTable";
import { isFinal, useExplanation, useSubmission } from "../../submissions/useSubmission";
import { Waiting } from "../../submissions/Waiting";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { Person } from "../../ui/Person";
import { Ago, duration, memory } from "../../ui/Time";
import { Outcome } from "../../ui/Verdict";
import { useAction } from "../../use";
import { Cases } from "./Cases";
import { LifeLine } from "./LifeLine";
import { SameAgain } from "./SameAgain";
import { SourceCode } from "./SourceCode";

export default function Submission({ params }: PageProps) {
  const id = params["id"] ?? "";
  const asked = useSubmission(id);
  if (asked.error && !asked.data) {
    return (
      <div class="page">
        <Failure of={asked.error} retry={asked.reload} />
      </div>
    );
  }
  if (!asked.data) return <Loading />;
  return <Detail detail={asked.data} progress={asked.progress} reload={asked.reload} />;
}

function Detail({ detail, progress, reload }: { detail: SubmissionDetail; progress: ReturnType<typeof useSubmission>["progress"]; reload: () => void }) {
  const { submission, attempts } = detail;
  const languages = useLanguages();
  const language = languages.data?.items.find((each) => each.slug === submission.language);
  const explanation = useExplanation(submission.id, submission.status);
  const result = submission.result;
  const cases = result?.cases ?? progress?.cases ?? [];
  const title = submission.problem_title ?? t("submission.title");
  const hidden = submission.status === "finished" && !result;
  return (
    <Page title={<ProblemName row={submission} />} tab={`${result?.verdict ?? ""} ${title}`.trim()} aside={<Actions submission={submission} reload={reload} />}>
      <section class="verdict-head" aria-live="polite" data-submission={submission.id}>
        <p class="verdict-large">{hidden ? t("submission.hidden") : <Outcome status={submission.status} verdict={result?.verdict ?? null} long {...(progress && !result ? { text: t("submission.case_of", { n: progress.done, total: progress.total }) } : {})} />}</p>
        <p class="row muted numbers">
          {result && <span>{t("submission.points", { n: result.score })}</span>}
          {result && <span>{duration(result.time_ms)}</span>}
          {result && <span>{memory(result.memory_bytes)}</span>}
          <span>{language?.name ?? submission.language}</span>
          {submission.user_name && <Person name={submission.user_name} shown={submission.user_display_name} />}
          <Ago at={submission.submitted_at} />
        </p>
        {(cases.length > 0 || progress) && <CaseStrip cases={cases} total={result?.cases.length ?? progress?.total ?? 0} />}
        {!isFinal(submission.status) && explanation && <Waiting explanation={explanation} />}
        {submission.status === "dead" && <p class="field-error">{t("submission.dead")}</p>}
        {submission.outdated && <p class="small muted">{t("submission.outdated")}</p>}
        {submission.rejudge_of && <p class="small"><a href={`/submissions/${submission.rejudge_of}`}>{t("submission.rejudged")}</a></p>}
      </section>
      {result?.compile_output && (
        <details class="panel" open={result.verdict === "CE"}>
          <summary>{t("submission.compile_log")}</summary>
          <pre class="output" tabIndex={0}>{result.compile_output}</pre>
        </details>
      )}
      {result && result.cases.length > 0 && <Cases submission={submission} result={result} />}
      <LifeLine submission={submission} attempts={attempts} />
      <SourceCode submission={submission} file={language?.source_name ?? "main.txt"} />
      <SameAgain submission={submission} language={language} compiler={attempts.at(-1)?.toolchain ?? language?.version} worker={attempts.at(-1)?.worker} />
    </Page>
  );
}

function Actions({ submission, reload }: { submission: Row; reload: () => void }) {
  const cancel = useAction(async () => {
    await call("POST /api/submissions/{submission_id}/cancel", { path: { submission_id: submission.id } });
    reload();
  });
  if (isFinal(submission.status) || submission.contest_id || submission.user_id !== me.value?.id) return null;
  return (
    <>
      <button type="button" disabled={cancel.busy} onClick={() => void cancel.run()}>
        {t("submission.cancel")}
      </button>
      {cancel.error && <Failure of={cancel.error} />}
    </>
  );
}
