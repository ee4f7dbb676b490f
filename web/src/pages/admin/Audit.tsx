import { find, t } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Table } from "../../ui/Table";
import { At } from "../../ui/Time";
import { useCall } from "../../use";
import { usePeople } from "./names";

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What happened to all accounts, the latest first. */
export function Audit() {
  const log = useCall("GET /api/admin/audit-log", { query: { cursor: presentCursor(), size: 50 } });
  const people = usePeople(log.data?.items.flatMap((each) => [each.user_id, ...(each.detail.match(ID) ?? [])]) ?? []);
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
                { title: t("audit.detail"), kind: "wide", cell: (row) => <Detail text={row.detail} people={people} /> },
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

/** What the log says, with the names of the accounts it names by their ids. */
function Detail({ text, people }: { text: string; people: ReturnType<typeof usePeople> }) {
  const ids = text.match(ID) ?? [];
  return <>{text.split(ID).flatMap((part, index) => [part, ids[index] ? people(ids[index]) : null])}</>;
}
