import { t } from "../i18n";

/** Says that something is awaited; shown only after a moment, by its style. */
export function Loading() {
  return (
    <p class="loading" role="status">
      <span class="visually-hidden">{t("state.loading")}</span>
    </p>
  );
}
