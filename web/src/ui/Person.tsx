import { t } from "../i18n";

/** What is stored as the name of a deleted account: no address of a page, and nothing to read. */
const DELETED = /^deleted-[0-9a-f]{32}$/;

/** Somebody by name, as a link to their page while there is one. */
export function Person({ name, shown }: { name: string; shown?: string | null }) {
  if (DELETED.test(name)) return <span class="muted">{t("users.deleted")}</span>;
  return <a href={`/u/${name}`}>{shown || name}</a>;
}
