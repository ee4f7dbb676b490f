import type { Verdict as Code, VerdictChange } from "../../api/schema";
import { t } from "../../i18n";
import { SIGNS, Verdict } from "../../ui/Verdict";

const ORDER = Object.keys(SIGNS) as Code[];

/** How many of each old verdict have which new one; what stays the same is on the diagonal. */
export function VerdictMatrix({ cells }: { cells: readonly VerdictChange[] }) {
  const news = ORDER.filter((code) => cells.some((each) => each.new === code));
  const olds = [...ORDER.filter((code) => cells.some((each) => each.old === code)), ...(cells.some((each) => each.old === null) ? [null] : [])];
  const countOf = (old: Code | null, code: Code): number => cells.find((each) => each.old === old && each.new === code)?.count ?? 0;
  return (
    <div class="table-frame" role="group" aria-label={t("rejudge.matrix")} tabIndex={0}>
      <table class="matrix">
        <caption class="visually-hidden">{t("rejudge.matrix_caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("rejudge.matrix_corner")}</th>
            {news.map((code) => (
              <th key={code} scope="col" class="number">
                <Verdict code={code} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {olds.map((old) => (
            <tr key={old ?? ""}>
              <th scope="row">{old ? <Verdict code={old} /> : t("rejudge.no_verdict")}</th>
              {news.map((code) => {
                const count = countOf(old, code);
                return (
                  <td key={code} class={`number ${count === 0 ? "muted" : old === code ? "" : "differs"}`}>
                    {count || "·"}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
