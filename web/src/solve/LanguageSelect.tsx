import type { Language } from "../api/schema";
import { t } from "../i18n";

/** Languages without a judge are shown, but cannot be chosen. */
export function LanguageSelect({ languages, chosen, choose }: { languages: readonly Language[]; chosen: string; choose: (slug: string) => void }) {
  return (
    <label>
      <span class="visually-hidden">{t("solve.language")}</span>
      <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {languages.map((each) => (
          <option key={each.slug} value={each.slug} disabled={!each.available && each.slug !== chosen}>
            {each.available ? each.name : t("solve.no_judge", { name: each.name })}
          </option>
        ))}
      </select>
    </label>
  );
}
