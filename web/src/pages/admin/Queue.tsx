import { t } from "../../i18n";
import { Answered } from "../../ui/Answered";
import { useCall, useEvery } from "../../use";
import { Figure } from "./Now";
import { QueueTable } from "./QueueTable";

export function Queue() {
  const queue = useCall("GET /api/admin/queue", {});
  useEvery(5000, !queue.error, queue.reload);
  return (
    <Answered of={queue}>
      {(data) => (
        <>
          <dl class="figures">
            <Figure name={t("now.running")} value={String(data.running)} />
            <Figure name={t("queue.stalled")} value={String(data.stalled)} />
            <Figure name={t("queue.dead")} value={String(data.dead)} />
            <Figure name={t("queue.outbox")} value={String(data.outbox_pending)} />
          </dl>
          {data.stalled > 0 && <p>{t("queue.stalled_text")}</p>}
          <QueueTable queues={data.queues} />
        </>
      )}
    </Answered>
  );
}
