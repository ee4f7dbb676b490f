import { chooseLocale, LOCALE_NAMES, LOCALES, locale, t, type Key, type Locale } from "../../i18n";
import { setSingleKeys, singleKeys } from "../../shortcuts";
import { theme, THEMES, type Theme } from "../../theme";
import { Checkbox, Select } from "../../ui/Field";

/** How the site looks in this browser. */
export function Look() {
  return (
    <div class="form stack">
      <Select label={t("look.theme")} value={theme.value} change={(value) => (theme.value = value as Theme)} options={THEMES.map((each) => ({ value: each, text: t(`theme.${each}` as Key) }))} />
      <Select label={t("look.language")} value={locale.value} change={(value) => void chooseLocale(value as Locale)} options={LOCALES.map((each) => ({ value: each, text: LOCALE_NAMES[each] }))} />
      <Checkbox label={t("keys.single")} checked={singleKeys.value} change={setSingleKeys} />
      <p class="hint">{t("look.hint")}</p>
    </div>
  );
}
