import { useEffect, useState } from "preact/hooks";
import type { Explanation, Status, SubmissionDetail } from "../api/schema";
import { call } from "../api/call";
import { connected, on, type Progress } from "../live";
import { useCall, type Asked } from "../use";

export const isFinal = (status: Status): boolean => status === "finished" || status === "dead" || status === "cancelled";

const POLL_MS = 3000;

/** A submission as it is now, and how far its judging is. Without a live stream it is asked for now and then. */
export function useSubmission(id: string | null): Asked<SubmissionDetail> & { progress: Progress | null } {
  const asked = useCall("GET /api/submissions/{submission_id}", id ? { path: { submission_id: id } } : null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const status = asked.data?.submission.status;
  const live = connected.value;

  useEffect(() => setProgress(null), [id]);
  useEffect(() => {
    const leave = [
      on("submission", (detail) => detail.submission.id === id && asked.set(detail)),
      on("progress", (told) => told.submission_id === id && setProgress(told)),
    ];
    return () => leave.forEach((each) => each());
  }, [id]);
  useEffect(() => {
    if (!status || isFinal(status)) return;
    // What happened between the answer and the stream is asked for once.
    if (live) asked.reload();
    const poll = setInterval(asked.reload, live ? POLL_MS * 5 : POLL_MS);
    return () => clearInterval(poll);
  }, [status, live, id]);
  return { ...asked, progress };
}

/** Why it waits; asked for while it does. */
export function useExplanation(id: string, status: Status): Explanation | null {
  const [found, setFound] = useState<Explanation | null>(null);
  useEffect(() => {
    if (isFinal(status)) return setFound(null);
    const stop = new AbortController();
    const ask = (): void => {
      call("GET /api/submissions/{submission_id}/explain", { path: { submission_id: id } }, { signal: stop.signal }).then(setFound, () => undefined);
    };
    const first = setTimeout(ask, 1200);
    const again = setInterval(ask, POLL_MS);
    return () => {
      stop.abort();
      clearTimeout(first);
      clearInterval(again);
    };
  }, [id, status]);
  return found;
}
