import { find, t } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Table } from "../../ui/Table";
import { At } from "../../ui/Time";
import { useCall } from "../../use";
import { usePeople } from "./names";

/** What happened to all accounts, the latest first. */
export function Audit() {
  const log = useCall("GET /api/admin/audit-log", { query: { cursor: presentCursor(), size: 50 } });
  const people = usePeople(log.data?.items.map((each) => each.user_id) ?? []);
  return (
    <>
      <Answered of={log}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty title={t("audit.none")} />
          ) : (
            <Table
              caption={t("admin.audit")}
              rows={data.items}
              rowKey={(row) => row.id}
              columns={[
                { title: t("submission.when"), kind: "narrow", cell: (row) => <At at={row.at} /> },
                { title: t("audit.account"), cell: (row) => (row.user_id ? people(row.user_id) : <span class="muted">—</span>) },
                { title: t("security.event"), cell: (row) => find(`event.${row.event}`) ?? row.event },
                { title: t("audit.detail"), kind: "wide", cell: (row) => row.detail },
                { title: t("security.address"), cell: (row) => <code title={row.origin.user_agent}>{row.origin.address}</code> },
              ]}
            />
          )
        }
      </Answered>
      <Pagination next={log.data?.page.next_cursor} />
    </>
  );
}
