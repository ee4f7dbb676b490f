import type { QueueDepth } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Empty } from "../../ui/Empty";
import { Table } from "../../ui/Table";
import { duration } from "../../ui/Time";

/** What waits, by lane and band, with how long the oldest does. */
export function QueueTable({ queues }: { queues: readonly QueueDepth[] }) {
  if (queues.length === 0) return <Empty title={t("queue.empty")} />;
  return (
    <Table
      caption={t("admin.queue")}
      rows={queues}
      rowKey={(row) => `${row.lane}.${row.band}`}
      columns={[
        { title: t("queue.lane"), cell: (row) => t(`lane.${row.lane}` as Key) },
        { title: t("queue.band"), cell: (row) => t(`band.${row.band}` as Key) },
        { title: t("queue.waiting"), kind: "number", cell: (row) => row.waiting },
        { title: t("queue.oldest"), kind: "number", cell: (row) => (row.waiting ? duration(row.oldest_wait_ms) : "—") },
      ]}
    />
  );
}
