import type { Contest } from "../../api/schema";
import { useNames } from "../../contest/names";
import { find, t } from "../../i18n";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Table } from "../../ui/Table";
import { exactly } from "../../ui/Time";
import { useCall } from "../../use";

/** Every ruling: who, when, what and why. */
export function Audit({ contest }: { contest: Contest }) {
  const { data, error, reload } = useCall("GET /api/contests/{contest_id}/rulings", { path: { contest_id: contest.id }, query: { cursor: presentCursor(), size: 50 } });
  const nameOf = useNames(data?.items.map((each) => each.by) ?? []);
  return (
    <>
      {error && !data && <Failure of={error} retry={reload} />}
      {!data && !error && <Loading />}
      {data?.items.length === 0 && <Empty title={t("audit.no_rulings")} />}
      {data && data.items.length > 0 && (
        <Table
          caption={t("manage.audit")}
          rows={data.items}
          rowKey={(row) => row.id}
          columns={[
            { title: t("submission.when"), kind: "narrow", cell: (row) => <time dateTime={row.at}>{exactly(row.at)}</time> },
            { title: t("submission.person"), kind: "narrow", cell: (row) => nameOf(row.by) },
            { title: t("audit.action"), kind: "narrow", cell: (row) => find(`ruling.${row.action}`) ?? row.action },
            { title: t("rulings.reason"), kind: "wide", cell: (row) => row.reason },
            { title: t("audit.details"), cell: (row) => row.details && row.details !== "{}" && <code class="audit-details">{row.details}</code> },
          ]}
        />
      )}
      <Pagination next={data?.page.next_cursor} />
    </>
  );
}
