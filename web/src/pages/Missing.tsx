import { t } from "../i18n";
import { paletteOpen } from "../shortcuts";
import { Page } from "../ui/Page";

export default function Missing() {
  return (
    <Page title={t("missing.title")} tab={t("missing.title")}>
      <p>{t("missing.text")}</p>
      <p class="actions">
        <a class="button" href="/">
          {t("missing.home")}
        </a>
        <button type="button" onClick={() => (paletteOpen.value = true)}>
          {t("palette.label")}
        </button>
      </p>
    </Page>
  );
}
