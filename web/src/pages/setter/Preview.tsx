import { LOCALE_NAMES, t, type Key, type Locale } from "../../i18n";
import { place, setQuery } from "../../router";
import { Empty } from "../../ui/Empty";
import { Samples } from "../../ui/Samples";
import { Statement } from "../../ui/Statement";
import { EditStatement } from "./EditStatement";
import type { PartProps } from "./ProblemParts";

const LOOKS = ["as_site", "light", "dark"] as const;

/** The statement as it is read, in each of its languages, in the light and in the dark. */
export function Preview({ problem, changed }: PartProps) {
  const locales = problem.statements.map((each) => each.locale);
  const wanted = place.value.query.get("locale");
  const chosen = locales.find((each) => each === wanted) ?? locales[0];
  const look = LOOKS.find((each) => each === place.value.query.get("look")) ?? "as_site";
  const statement = problem.statements.find((each) => each.locale === chosen);
  if (!chosen || !statement) return <Empty title={t("setter.no_statement")} />;
  return (
    <>
      <div class="row">
        <label class="row">
          {t("problem.language")}
          <select value={chosen} onChange={(event) => setQuery({ locale: event.currentTarget.value })}>
            {locales.map((each) => (
              <option key={each} value={each} lang={each}>
                {LOCALE_NAMES[each as Locale] ?? each}
              </option>
            ))}
          </select>
        </label>
        <label class="row">
          {t("look.theme")}
          <select value={look} onChange={(event) => setQuery({ look: event.currentTarget.value === "as_site" ? null : event.currentTarget.value })}>
            {LOOKS.map((each) => (
              <option key={each} value={each}>
                {t(each === "as_site" ? "setter.as_site" : (`theme.${each}` as Key))}
              </option>
            ))}
          </select>
        </label>
      </div>
      {locales.length < 2 && <p class="muted">{t("setter.one_locale")}</p>}
      <article class={`panel preview preview-${look}`} lang={chosen}>
        <h2>{statement.title}</h2>
        <Statement key={problem.revision} problem={problem} chosen={chosen} />
        <Samples samples={problem.samples} />
      </article>
      <EditStatement key={chosen} problem={problem} statement={statement} changed={changed} />
      {problem.samples.length === 0 && <p class="muted">{t("console.no_samples")}</p>}
    </>
  );
}
