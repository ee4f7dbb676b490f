import { call } from "../../api/call";
import type { DeadLetter } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { place } from "../../router";
import { Answered } from "../../ui/Answered";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { Pagination, presentCursor } from "../../ui/Pagination";
import { Person } from "../../ui/Person";
import { Section } from "../../ui/Section";
import { Table } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { useAction, useCall } from "../../use";
import { DeadGroups } from "./DeadGroups";
import { Bare } from "./names";

/** What could not be judged: in groups, and one by one. */
export function Dead() {
  const groups = useCall("GET /api/admin/dead-letters/groups", {});
  const group = /^[0-9a-f]{32}$/.exec(place.value.query.get("group") ?? "")?.[0];
  const letters = useCall("GET /api/admin/dead-letters", { query: { group, cursor: presentCursor(), size: 50 } });
  const changed = (): void => {
    groups.reload();
    letters.reload();
  };
  return (
    <>
      <Section title={t("dead.groups")}>
        <Answered of={groups}>{(data) => <DeadGroups groups={data.items} changed={changed} />}</Answered>
      </Section>
      <Section title={t(group ? "dead.of_group" : "dead.each")} aside={group && <a href="/admin/dead">{t("dead.all")}</a>}>
        <Answered of={letters}>{(data) => <Letters items={data.items} changed={changed} />}</Answered>
        <Pagination next={letters.data?.page.next_cursor} />
      </Section>
    </>
  );
}

function Letters({ items, changed }: { items: readonly DeadLetter[]; changed: () => void }) {
  const replay = useAction(async (id: string) => {
    await call("POST /api/admin/dead-letters/{submission_id}/replay", { path: { submission_id: id } });
    changed();
  });
  if (items.length === 0) return <Empty title={t("dead.none")} />;
  return (
    <>
      {replay.error && <Failure of={replay.error} />}
      <Table
        caption={t("dead.each")}
        rows={items}
        rowKey={(row) => row.submission_id}
        columns={[
          { title: t("dead.when"), kind: "narrow", cell: (row) => <a href={`/submissions/${row.submission_id}`}><Ago at={row.died_at} /></a> },
          { title: t("submission.problem"), cell: (row) => (row.problem_slug ? <a href={`/problems/${row.problem_slug}`}>{row.problem_title}</a> : <Bare id={row.problem_id} />) },
          { title: t("submission.person"), cell: (row) => (row.user_name ? <Person name={row.user_name} /> : <Bare id={row.user_id} />) },
          { title: t("solve.language"), kind: "narrow", cell: (row) => row.language },
          { title: t("dead.attempts"), kind: "number", cell: (row) => row.attempts },
          { title: t("dead.error"), kind: "wide", cell: (row) => <code class="error-text">{row.last_error || row.reason}</code> },
          {
            title: <span class="visually-hidden">{t("dead.replay")}</span>,
            kind: "narrow",
            cell: (row) =>
              row.replayed_as ? (
                <a href={`/submissions/${row.replayed_as}`}>{row.replayed_status ? t(`status.${row.replayed_status}` as Key) : t("dead.replayed_one")}</a>
              ) : (
                <button type="button" disabled={replay.busy} onClick={() => void replay.run(row.submission_id)}>
                  {t("dead.replay")}
                </button>
              ),
          },
        ]}
      />
    </>
  );
}
