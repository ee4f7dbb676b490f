import { useEffect, useRef, useState } from "preact/hooks";
import { upload } from "../../api/lines";
import { me } from "../../api/session";
import type { ImportDone, Problem, ProblemSummary } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { place, setQuery } from "../../router";
import { Failure } from "../../ui/Failure";
import { Select, TextField } from "../../ui/Field";
import { Icon } from "../../ui/Icon";
import { memory } from "../../ui/Time";
import { useAction, useCall } from "../../use";
import { ImportOutcome } from "./ImportOutcome";

interface Progress {
  stage: "receiving" | "reading" | "storing";
  done: number;
  total: number;
}

export interface Outcome extends ImportDone {
  tried: boolean;
  /** What was there before, for a new revision. */
  before: Problem | null;
}

// Whatever is no tar is told from the inside: a zip, or the XML of an FPS archive.
const isTar = (file: File): boolean => /\.(tar|gz|tgz)$/i.test(file.name);

/** A package is read first, and nothing is stored before its messages are on the screen. */
export function Import() {
  const into = place.value.query.get("into") ?? "";
  const [slug, setSlug] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState<number | null>(null);
  const [step, setStep] = useState<Progress | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const mine = useCall("GET /api/problems", me.value ? { query: { owner_id: me.value.id, sort: "newest", size: 100 } } : null);
  const target = useCall("GET /api/problems/{problem}", into ? { path: { problem: into } } : null);

  const run = useAction(async (archive: File, tried: boolean) => {
    stop.current?.abort();
    const controller = new AbortController();
    stop.current = controller;
    setOutcome(null);
    setStep(null);
    setSent(0);
    const before = into ? target.data : null;
    const query = { format: isTar(archive) ? "tar" : "zip", dry_run: tried, ...(into || !slug ? {} : { slug }) };
    const options = { type: isTar(archive) ? "application/x-tar" : "application/zip", sending: setSent, tell: setStep, signal: controller.signal };
    try {
      const done = await (before
        ? upload<Progress, ImportDone>("POST /api/problems/{problem}/import", { path: { problem: before.id }, query }, archive, options)
        : upload<Progress, ImportDone>("POST /api/problems/import", { query }, archive, options));
      setOutcome({ ...done, tried, before });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      if (stop.current === controller) setSent(null);
    }
  });
  const choose = (archive: File | undefined): void => {
    if (!archive) return;
    setFile(archive);
    void run.run(archive, true);
  };
  const forget = (): void => {
    stop.current?.abort();
    setOutcome(null);
    run.clear();
  };
  const ready = !into || target.data !== null;
  const taken = run.error?.reason === "slug_taken" ? mine.data?.items.find((each) => run.error?.message.includes(each.slug)) : undefined;
  return (
    <>
      <div class="field-grid">
        <Select
          label={t("import.target")}
          value={into}
          change={(value) => {
            setQuery({ into: value || null });
            forget();
          }}
          options={[{ value: "", text: t("import.as_new") }, ...options(mine.data?.items ?? [], into)]}
        />
        {!into && <TextField label={t("setter.slug")} hint={t("import.slug_hint")} value={slug} change={setSlug} maxLength={64} />}
      </div>
      {target.error && <Failure of={target.error} retry={target.reload} />}
      <Drop take={choose} disabled={!ready} />
      {file && sent !== null && <Steps file={file} sent={sent} step={step} stop={() => stop.current?.abort()} />}
      {file && run.error && (
        <>
          <Failure of={run.error} retry={() => void run.run(file, true)} />
          {taken && (
            <p class="actions">
              <button
                type="button"
                onClick={() => {
                  setQuery({ into: taken.slug });
                  forget();
                }}
              >
                {t("import.into_taken", { title: taken.title })}
              </button>
            </p>
          )}
        </>
      )}
      {file && !run.busy && !run.error && !outcome && (
        <p class="actions">
          <button type="button" disabled={!ready} onClick={() => void run.run(file, true)}>
            {t("import.read_again", { name: file.name })}
          </button>
        </p>
      )}
      {file && outcome && <ImportOutcome of={outcome} go={() => void run.run(file, false)} busy={run.busy} />}
    </>
  );
}

/** The reader's problems; the one in the address too, when it is somebody else's. */
function options(mine: readonly ProblemSummary[], into: string): { value: string; text: string }[] {
  const known = mine.map((each) => ({ value: each.slug, text: t("import.as_revision", { title: each.title }) }));
  return into && !mine.some((each) => each.slug === into) ? [{ value: into, text: t("import.as_revision", { title: into }) }, ...known] : known;
}

function Drop({ take, disabled }: { take: (file: File | undefined) => void; disabled: boolean }) {
  const [over, setOver] = useState(false);
  return (
    <label
      class={`drop ${over ? "drop-over" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!disabled) take(event.dataTransfer?.files[0]);
      }}
    >
      <Icon name="send" />
      <strong>{t("import.drop")}</strong>
      <span class="muted small">{t("import.drop_text")}</span>
      <input
        type="file"
        accept=".zip,.tar,.gz,.tgz,.kpp,.xml"
        disabled={disabled}
        onChange={(event) => {
          take(event.currentTarget.files?.[0]);
          // The same file may be chosen again after it was mended.
          event.currentTarget.value = "";
        }}
      />
    </label>
  );
}

function Steps({ file, sent, step, stop }: { file: File; sent: number; step: Progress | null; stop: () => void }) {
  const stages = ["sending", "reading", "storing"] as const;
  const at = step && step.stage !== "receiving" ? step.stage : "sending";
  const [value, max] = at === "sending" ? [sent, file.size] : [step?.done ?? 0, step?.total ?? 0];
  return (
    <div class="panel" role="status">
      <p class="row spread">
        <span>
          {file.name}: {t(`stage.${at}` as Key)} {at === "sending" ? t("import.bytes", { sent: memory(sent), total: memory(file.size) }) : max > 0 && t("import.files", { done: value, total: max })}
        </span>
        <button type="button" class="quiet" onClick={stop}>
          {t("check.stop")}
        </button>
      </p>
      <ol class="stages">
        {stages.map((each) => (
          <li key={each} aria-current={each === at ? "step" : undefined}>
            {t(`stage.${each}` as Key)}
          </li>
        ))}
      </ol>
      <progress class="meter" aria-label={t(`stage.${at}` as Key)} {...(max > 0 ? { max, value } : {})} />
    </div>
  );
}
