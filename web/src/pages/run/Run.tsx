import { useState } from "preact/hooks";
import { call } from "../../api/call";
import { me } from "../../api/session";
import type { Ran } from "../../api/schema";
import { t } from "../../i18n";
import { LanguageSelect } from "../../solve/LanguageSelect";
import { useLanguages } from "../../solve/languages";
import { RunOutcome } from "../../solve/RunOutcome";
import { useSource } from "../../solve/useSource";
import { recall, remember } from "../../store";
import { Editor } from "../../ui/Editor";
import { Failure } from "../../ui/Failure";
import { TextArea } from "../../ui/Field";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { useAction } from "../../use";

/** A playground: any program on any input. */
export default function Run() {
  const languages = useLanguages();
  const source = useSource("run", languages.data?.items ?? []);
  const [input, setInput] = useState(() => recall<string>("run.input", ""));
  const [ran, setRan] = useState<Ran | null>(null);
  const run = useAction(async () => {
    if (source.language) setRan(await call("POST /api/runs", { body: { language: source.language.slug, source: source.text, input } }));
  });
  if (languages.error && !languages.data) return <Failure of={languages.error} retry={languages.reload} />;
  if (!languages.data || !source.language) return <Loading />;
  return (
    <Page title={t("run.title")} tab={t("run.title")} aside={<LanguageSelect languages={languages.data.items} chosen={source.language.slug} choose={source.choose} />}>
      <div class="run-grid">
        <Editor value={source.text} version={source.version} file={source.language.source_name} label={t("solve.source")} change={source.change} run={() => void run.run()} submit={() => void run.run()} />
        <div class="stack">
          <TextArea
            label={t("run.input")}
            rows={8}
            value={input}
            change={(text) => {
              setInput(text);
              remember("run.input", text);
            }}
          />
          <p class="actions">
            <button type="button" class="primary" disabled={run.busy || !me.value} onClick={() => void run.run()}>
              {run.busy ? t("run.running") : t("run.run")}
            </button>
            {me.value === null && <a href="/login?next=/run">{t("run.sign_in")}</a>}
          </p>
          {run.error && <Failure of={run.error} />}
          <div aria-live="polite">{ran && <RunOutcome ran={ran} />}</div>
        </div>
      </div>
    </Page>
  );
}
