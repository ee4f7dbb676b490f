import { Answered } from "../../ui/Answered";
import { useCall, useEvery } from "../../use";
import { WorkerTable } from "./WorkerTable";

export function Workers() {
  const workers = useCall("GET /api/admin/workers", {});
  useEvery(5000, !workers.error, workers.reload);
  return <Answered of={workers}>{(data) => <WorkerTable workers={data.items} />}</Answered>;
}
