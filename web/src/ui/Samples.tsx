import type { ComponentChildren } from "preact";
import type { Sample } from "../api/schema";
import { t } from "../i18n";
import { Copy } from "./Copy";

/** The samples of a problem; each can be copied, and its input taken over for a run. */
export function Samples({ samples, use }: { samples: readonly Sample[]; use?: (input: string) => void }) {
  return (
    <>
      {samples.map((sample, index) => (
        <section key={index} class="sample" aria-label={t("console.sample", { n: index + 1 })}>
          <Parts sample={sample} n={index + 1} {...(use ? { use } : {})} />
        </section>
      ))}
    </>
  );
}

/** Of a sample that is a talk with the judge: what was said, by whom. */
const TALK = /^```\n([^]*)```\s*$/;

function Parts({ sample, n, use }: { sample: Sample; n: number; use?: (input: string) => void }) {
  const talk = sample.input || sample.output ? undefined : TALK.exec(sample.note ?? "")?.[1];
  if (talk !== undefined) {
    return (
      <>
        <SampleText title={t("sample.talk", { n })} text={talk} />
        <p class="sample-note">{t("sample.talk_signs")}</p>
      </>
    );
  }
  return (
    <>
      <SampleText title={t("sample.input", { n })} text={sample.input}>
        {use && (
          <button type="button" class="quiet" onClick={() => use(sample.input)}>
            {t("sample.use")}
          </button>
        )}
      </SampleText>
      <SampleText title={t("sample.output", { n })} text={sample.output} />
      {sample.note && <p class="sample-note">{sample.note}</p>}
    </>
  );
}

function SampleText({ title, text, children }: { title: string; text: string; children?: ComponentChildren }) {
  return (
    <div class="sample-text">
      <div class="sample-head">
        <h2>{title}</h2>
        <span class="row">
          {children}
          <Copy text={text} bare />
        </span>
      </div>
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}
