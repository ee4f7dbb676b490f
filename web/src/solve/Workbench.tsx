import { useEffect, useRef, useState } from "preact/hooks";
import { signedIn } from "../account/signIn";
import { call } from "../api/call";
import { me } from "../api/session";
import type { Language, Problem, Ran } from "../api/schema";
import { t } from "../i18n";
import { recall, remember } from "../store";
import { latestOf, parcelOf, submit } from "../submit/outbox";
import { ParcelState } from "../submit/ParcelState";
import { QuotaLeft } from "../submit/QuotaLeft";
import { Editor } from "../ui/Editor";
import { Icon } from "../ui/Icon";
import { useAction } from "../use";
import { Console } from "./Console";
import { LanguageSelect } from "./LanguageSelect";
import { runSample, type SampleRun } from "./samples";
import type { Source } from "./useSource";

const RECENT_MS = 10 * 60_000;
// As long as a double click may take: nobody means to submit the same twice within it.
const TWICE_MS = 500;

/** Where a problem is solved: the editor, runs before submitting, the verdict. */
export function Workbench({ problem, contestId, languages, source, input, setInput }: { problem: Problem; contestId?: string; languages: readonly Language[]; source: Source; input: string; setInput: (text: string) => void }) {
  const [runs, setRuns] = useState<(SampleRun | null)[]>([]);
  const [ran, setRan] = useState<Ran | null>(null);
  const [tab, choose] = useState<"samples" | "input">("samples");
  const [key, setKey] = useState<string | null>(null);
  const sent = useRef({ text: "", at: 0 });
  const language = source.language;

  const latest = latestOf(problem.id);
  const parcel = parcelOf(key) ?? (latest && (latest.state === "waiting" || Date.now() - latest.madeAt < RECENT_MS) ? latest : undefined);
  useEffect(() => {
    if (recall<string>(`input.${problem.id}`, "") !== input) {
      remember(`input.${problem.id}`, input || null);
      choose("input");
    }
  }, [input]);

  const runAll = useAction(async () => {
    if (!language) return;
    choose("samples");
    setRuns([]);
    const of = { problem_id: problem.id, ...(contestId ? { contest_id: contestId } : {}) };
    const done: (SampleRun | null)[] = problem.samples.map(() => null);
    for (const [index, sample] of problem.samples.entries()) {
      done[index] = await runSample(sample, { language: language.slug, source: source.text, sample: { ...of, number: index + 1 } });
      setRuns([...done]);
      // Whatever does not compile does not compile for the next sample either.
      if (done[index]?.ran.compile_error != null) break;
    }
  });
  const runInput = useAction(async () => {
    if (language) setRan(await call("POST /api/runs", { body: { language: language.slug, source: source.text, input } }));
  });
  const send = (): void => {
    // As it is now: keys may come faster than the page is drawn.
    if (!language || !source.text.trim() || latestOf(problem.id)?.state === "waiting") return;
    if (source.text === sent.current.text && Date.now() - sent.current.at < TWICE_MS) return;
    sent.current = { text: source.text, at: Date.now() };
    const made = submit({ problem_id: problem.id, ...(contestId ? { contest_id: contestId } : {}), language: language.slug, source: source.text }, problem.title);
    setKey(made);
    signedIn(() => undefined);
  };
  const tryRun = (): void => signedIn(() => void (tab === "input" ? runInput.run() : runAll.run()));
  const busy = runAll.busy || runInput.busy;

  if (!language) return null;
  return (
    <section class="workbench" id="submit" aria-label={t("solve.label")}>
      <div class="row spread">
        <LanguageSelect languages={languages} chosen={language.slug} choose={source.choose} />
        <div class="row">
          <button type="button" disabled={busy} onClick={tryRun} title="Ctrl '">
            <Icon name="run" /> {busy ? t("run.running") : tab === "input" ? t("run.run") : t("solve.run_samples")}
          </button>
          <button type="button" class="primary" disabled={!source.text.trim() || parcel?.state === "waiting"} onClick={send} title="Ctrl Enter">
            <Icon name="send" /> {t("solve.submit")}
          </button>
        </div>
      </div>
      <QuotaLeft key={`${parcel?.key} ${parcel?.state}`} />
      <Editor value={source.text} version={source.version} file={language.source_name} label={t("solve.source")} change={source.change} submit={send} run={tryRun} />
      {(source.changed || !source.kept) && (
        <p class="row spread small muted">
          <span role="status">{source.kept ? t("solve.kept") : t("submit.keep_open")}</span>
          <button type="button" class="quiet small" onClick={() => confirm(t("solve.reset_confirm")) && source.reset()}>
            <Icon name="reset" /> {t("solve.reset")}
          </button>
        </p>
      )}
      {!language.available && <p class="small field-error">{t("solve.no_judge_now")}</p>}
      {parcel && (
        <div class="panel">
          <ParcelState parcel={parcel} />
        </div>
      )}
      <Console samples={problem.samples} runs={runs} busy={busy} error={tab === "samples" ? runAll.error : runInput.error} input={input} setInput={setInput} ran={ran} runInput={() => signedIn(() => void runInput.run())} tab={tab} choose={choose} />
      {me.value === null && <p class="small muted">{t("solve.guest")}</p>}
    </section>
  );
}
