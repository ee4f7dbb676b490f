import { useEffect, useState } from "preact/hooks";
import { send } from "../../api/call";
import { Refusal } from "../../api/refusal";
import type { Now } from "../../api/schema";
import { frames } from "../../live/frames";
import { pause } from "../../lock";
import { useCall, type Asked } from "../../use";

const AGAIN_MS = 3000;

/** How the system is, kept up to date while the page is looked at; `live` says whether it is. */
export function useNow(): Asked<Now> & { live: boolean } {
  const asked = useCall("GET /api/admin/now", {});
  const [live, setLive] = useState(false);
  const [visible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const look = (): void => setVisible(!document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    if (!visible) return;
    const stop = new AbortController();
    void follow(stop.signal, asked.set, setLive);
    return () => stop.abort();
  }, [visible]);
  return { ...asked, live };
}

async function follow(stop: AbortSignal, heard: (now: Now) => void, setLive: (live: boolean) => void): Promise<void> {
  while (!stop.aborted) {
    try {
      const { body } = await send("GET /api/admin/events", {}, { signal: stop, accept: "text/event-stream" });
      if (!body) return;
      setLive(true);
      for await (const frame of frames(body)) if (frame.event === "now") heard(frame.data as Now);
    } catch (error) {
      // What is refused for good is said by the answer itself, which is asked for beside this.
      if (error instanceof Refusal && !error.passing) return setLive(false);
    }
    if (stop.aborted) return;
    setLive(false);
    await pause(AGAIN_MS);
  }
}
