import { call } from "../../api/call";
import type { DeadLetterGroup } from "../../api/schema";
import { t } from "../../i18n";
import { Empty } from "../../ui/Empty";
import { Failure } from "../../ui/Failure";
import { notify } from "../../ui/notices";
import { Table } from "../../ui/Table";
import { Ago } from "../../ui/Time";
import { useAction } from "../../use";

/** What could not be judged, by what it died of; a group is judged again as a whole. */
export function DeadGroups({ groups, changed }: { groups: readonly DeadLetterGroup[]; changed?: () => void }) {
  const replay = useAction(async (group: string) => {
    const { replayed, refused } = await call("POST /api/admin/dead-letters/replay", { body: { group } });
    notify(t("dead.replayed", { n: replayed, refused }), { tone: refused ? "bad" : "good" });
    changed?.();
  });
  if (groups.length === 0) return <Empty title={t("dead.none")} />;
  return (
    <>
      {replay.error && <Failure of={replay.error} />}
      <Table
        caption={t("admin.dead")}
        rows={groups}
        rowKey={(row) => row.group}
        columns={[
          { title: t("dead.error"), kind: "wide", cell: (row) => <><code class="error-text">{row.last_error || row.reason}</code>{row.last_error && <span class="muted small"> {row.reason}</span>}</> },
          { title: t("dead.count"), kind: "number", cell: (row) => <a href={`/admin/dead?group=${row.group}`} aria-label={`${row.submissions}: ${t("dead.of_group")}`}>{row.submissions}</a> },
          { title: t("workers.languages"), cell: (row) => row.languages.join(", ") },
          { title: t("dead.first"), kind: "narrow", cell: (row) => <Ago at={row.first_died_at} /> },
          { title: t("dead.last"), kind: "narrow", cell: (row) => <Ago at={row.last_died_at} /> },
          { title: <span class="visually-hidden">{t("dead.replay_group")}</span>, kind: "narrow", cell: (row) => <button type="button" disabled={replay.busy} onClick={() => void replay.run(row.group)}>{t("dead.replay_group")}</button> },
        ]}
      />
    </>
  );
}
