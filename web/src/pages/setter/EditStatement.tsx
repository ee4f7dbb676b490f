import { useEffect, useState } from "preact/hooks";
import type { Statement } from "../../api/schema";
import { t } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { TextArea, TextField } from "../../ui/Field";
import { useAction } from "../../use";
import { besideOf, revise } from "./edit";
import type { PartProps } from "./ProblemParts";

/** The title and the text in one language. What is typed stays when somebody else was faster. */
export function EditStatement({ problem, statement, changed }: PartProps & { statement: Statement }) {
  const [title, setTitle] = useState(statement.title);
  const [text, setText] = useState(statement.markdown);
  const save = useAction(async () => {
    await revise(problem, { statements: problem.statements.map((each) => (each.locale === statement.locale ? { ...each, title, markdown: text } : each)) });
    changed();
  });
  // Until it has been read again it would be refused again.
  useEffect(() => save.clear(), [problem.version]);
  const at = `draft.statements[${problem.statements.findIndex((each) => each.locale === statement.locale)}]`;
  return (
    <details class="panel">
      <summary>{t("edit.statement")}</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <TextField label={t("edit.title")} value={title} change={setTitle} error={besideOf(save.error, `${at}.title`, ["title_empty", "title_too_long"])} required maxLength={200} />
        <TextArea label={t("edit.text")} hint={t("edit.text_hint")} value={text} change={setText} error={besideOf(save.error, `${at}.markdown`, ["statement_too_large", "texts_too_large", "text_malformed"])} rows={16} maxLength={262144} />
        {save.error && <Failure of={save.error} retry={() => (save.error?.reason === "stale_version" ? changed() : void save.run())} />}
        <p class="actions">
          <button type="submit" class="primary" disabled={save.busy}>
            {t("edit.save")}
          </button>
          <span class="muted small">{t("edit.statement_promise")}</span>
        </p>
      </form>
    </details>
  );
}
