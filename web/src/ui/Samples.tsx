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
          <SampleText title={t("sample.input", { n: index + 1 })} text={sample.input}>
            {use && (
              <button type="button" class="quiet" onClick={() => use(sample.input)}>
                {t("sample.use")}
              </button>
            )}
          </SampleText>
          <SampleText title={t("sample.output", { n: index + 1 })} text={sample.output} />
          {sample.note && <p class="sample-note">{sample.note}</p>}
        </section>
      ))}
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
