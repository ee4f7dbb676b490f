import type { ImportedUsers } from "../api/schema";
import { t } from "../i18n";
import { site } from "../site";
import { Icon } from "../ui/Icon";

/** Slips to cut out, one an account that got a password. On paper there is nothing else. */
export function PasswordSheet({ of, title }: { of: ImportedUsers; title?: string }) {
  const slips = of.items.filter((each) => each.password);
  if (slips.length === 0) return null;
  return (
    <section class="sheet" aria-labelledby="sheet-title">
      <header class="row spread no-print">
        <h2 id="sheet-title">{t("sheet.title")}</h2>
        <button type="button" class="primary" onClick={() => print()}>
          <Icon name="download" /> {t("sheet.print")}
        </button>
      </header>
      <p class="no-print">{t("sheet.once")}</p>
      <ul class="slips">
        {slips.map((each) => (
          <li key={each.line}>
            <strong>{each.display_name || each.name}</strong>
            <span>
              {title ?? site.value?.name ?? "Deep-OJ"}: {location.origin}
            </span>
            <span>
              {t("account.name")}: <code>{each.name}</code>
            </span>
            <span>
              {t("account.password")}: <code>{each.password}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
