import { t, type Key } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { useCall } from "../../use";
import { usePeople } from "./names";
import { NewRejudge } from "./NewRejudge";

/** Start one, and all that were started. */
export function Rejudges() {
  const rejudges = useCall("GET /api/admin/rejudges", { query: { cursor: presentCursor(), size: 50 } });
  const people = usePeople(rejudges.data?.items.map((each) => each.started_by) ?? []);
  return (
    <>
      <NewRejudge />
      <Section title={t("rejudges.all")}>
        <Answered of={rejudges}>
          {(data) =>
            data.items.length === 0 ? (
              <Empty title={t("rejudges.none")}>
                <p class="muted">{t("rejudges.none_text")}</p>
              </Empty>
            ) : (
              <Table
                caption={t("rejudges.all")}
                rows={data.items}
                rowKey={(row) => row.id}
                columns={[
                  { title: t("submission.when"), kind: "narrow", cell: (row) => <a href={`/admin/rejudges/${row.id}`}><Ago at={row.started_at} /></a> },
                  { title: t("rejudges.reason"), kind: "wide", cell: (row) => row.reason || <span class="muted">{t("rejudges.no_reason")}</span> },
                  { title: t("rejudges.state"), kind: "narrow", cell: (row) => t(`rejudge.${row.state}` as Key) },
                  { title: t("rejudges.submissions"), kind: "number", cell: (row) => row.submissions },
                  { title: t("submission.person"), cell: (row) => people(row.started_by) },
                ]}
              />
            )
          }
        </Answered>
        <Pagination next={rejudges.data?.page.next_cursor} />
      </Section>
    </>
  );
}
