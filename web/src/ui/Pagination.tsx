import { t } from "../i18n";
import { place, setQuery } from "../router";

/** Pages by cursor. The cursors that led here are in the address, so that Back and links work. */
export function Pagination({ next }: { next: string | null | undefined }) {
  const trail = (place.value.query.get("cursor") ?? "").split("~").filter(Boolean);
  if (trail.length === 0 && !next) return null;
  const show = (cursors: string[]): void => {
    setQuery({ cursor: cursors.join("~") || null });
    document.getElementById("content")?.focus();
    scrollTo(0, 0);
  };
  return (
    <nav class="pagination" aria-label={t("pagination.label")}>
      <button type="button" disabled={trail.length === 0} onClick={() => show(trail.slice(0, -1))}>
        {t("pagination.back")}
      </button>
      <span class="muted">{t("pagination.page", { n: trail.length + 1 })}</span>
      <button type="button" disabled={!next} onClick={() => next && show([...trail, next])}>
        {t("pagination.next")}
      </button>
    </nav>
  );
}

/** The cursor of the page that is shown. */
export const presentCursor = (): string | undefined => (place.value.query.get("cursor") ?? "").split("~").filter(Boolean).at(-1);
