import { me } from "../../api/session";
import { t, type Key } from "../../i18n";
import { atLeast } from "../../roles";
import { place, setQuery } from "../../router";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Table } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { useCall } from "../../use";

const chosen = (name: string): string => place.value.query.get(name) ?? "";

/** The reader's problems, hidden ones too; judges and admins may look at everybody's. */
export function OwnProblems() {
  const wide = atLeast("judge", me.value);
  const all = wide && chosen("whose") === "all";
  const shown = chosen("shown");
  const query = { owner_id: all ? undefined : me.value?.id, published: shown ? shown === "published" : undefined, sort: "newest" as const, cursor: presentCursor(), size: 50 };
  const problems = useCall("GET /api/problems", { query });
  return (
    <>
      <search class="filters">
        {wide && (
          <label>
            <span class="visually-hidden">{t("submissions.whose")}</span>
            <select value={all ? "all" : ""} onChange={(event) => setQuery({ whose: event.currentTarget.value || null, cursor: null })}>
              <option value="">{t("setter.mine")}</option>
              <option value="all">{t("setter.all")}</option>
            </select>
          </label>
        )}
        <label>
          <span class="visually-hidden">{t("setter.visibility")}</span>
          <select value={shown} onChange={(event) => setQuery({ shown: event.currentTarget.value || null, cursor: null })}>
            <option value="">{t("setter.any")}</option>
            <option value="published">{t("setter.published")}</option>
            <option value="hidden">{t("setter.hidden")}</option>
          </select>
        </label>
      </search>
      <Answered of={problems}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={t("setter.none")}>
              <p class="muted">{t("setter.none_text")}</p>
              <a class="button" href="/setter/import">
                {t("import.title")}
              </a>
            </Empty>
          ) : (
            <Table
              caption={t("setter.title")}
              rows={data.items}
              rowKey={(row) => row.id}
              columns={[
                { title: t("problems.title"), kind: "wide", cell: (row) => <a href={`/setter/${row.slug}/statement`}>{row.title}</a> },
                { title: t("setter.slug"), cell: (row) => <code>{row.slug}</code> },
                { title: t("setter.visibility"), kind: "narrow", cell: (row) => t(row.enabled ? "setter.published" : "setter.hidden") },
                { title: t("problems.level"), kind: "narrow", cell: (row) => row.level && t(`level.${row.level}` as Key) },
                { title: t("setter.revision"), kind: "number", cell: (row) => row.revision },
                { title: t("setter.updated"), kind: "narrow", cell: (row) => <Ago at={row.updated_at} /> },
              ]}
            />
          )
        }
      </Answered>
      <Pagination next={problems.data?.page.next_cursor} />
    </>
  );
}
