import { t } from "../i18n";

/** Line by line: what was expected and what was printed, the first that differs marked. */
export function Diff({ expected, printed }: { expected: string; printed: string }) {
  const wanted = lines(expected);
  const got = lines(printed);
  const count = Math.min(Math.max(wanted.length, got.length), 200);
  return (
    <div class="table-frame" role="group" tabIndex={0} aria-label={t("diff.caption")}>
      <table class="diff">
        <caption class="visually-hidden">{t("diff.caption")}</caption>
        <thead>
          <tr>
            <th scope="col" class="narrow">
              <span class="visually-hidden">{t("diff.line")}</span>
            </th>
            <th scope="col">{t("diff.expected")}</th>
            <th scope="col">{t("diff.printed")}</th>
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: count }, (_, index) => {
            const differs = (wanted[index] ?? "").trimEnd() !== (got[index] ?? "").trimEnd();
            return (
              <tr key={index} class={differs ? "differs" : ""}>
                <td class="narrow muted numbers">
                  {differs && <span class="visually-hidden">{t("diff.differs")} </span>}
                  {index + 1}
                </td>
                <td>
                  <code>{wanted[index] ?? <span class="muted">{t("diff.none")}</span>}</code>
                </td>
                <td>
                  <code>{got[index] ?? <span class="muted">{t("diff.none")}</span>}</code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const lines = (text: string): string[] => text.replace(/\n+$/, "").split("\n");
