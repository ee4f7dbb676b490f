// Long work that answers with a line of JSON for each step, and a last one with what came of it.
import { address, send, type Route } from "./call";
import { Refusal, refusalOf, type Sent } from "./refusal";
import type { ProblemDetails } from "./schema";
import { noteCall } from "./called";
import { ensureFresh } from "./session";

const NDJSON = "application/x-ndjson";

export interface Step<P, D> {
  progress: P | null;
  done: D | null;
}
type Line<P, D> = Step<P, D> | { error: ProblemDetails };

/** A refusal may come after the answer has begun; it is then its last line. */
function parsed<P, D>(line: string, sent: Sent, requestId: string | null): Step<P, D> {
  const read = JSON.parse(line) as Line<P, D>;
  if ("error" in read) throw new Refusal(sent, read.error.status, { request_id: requestId ?? "", ...read.error });
  return read;
}

interface Loose {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
}

/** Do it, tell each step, and return what came of it. */
export async function follow<P, D>(route: Route, input: Loose, tell: (progress: P) => void, signal: AbortSignal): Promise<D> {
  const sent: Sent = { method: "POST", url: address(route, input) };
  const response = await send(route, input, { signal, accept: NDJSON });
  const reader = response.body?.pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = (await reader?.read().catch(() => null)) ?? { done: true, value: undefined };
    signal.throwIfAborted();
    if (done || value === undefined) throw new Refusal(sent, 0, {});
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      const step = parsed<P, D>(line, sent, response.headers.get("x-request-id"));
      if (step.done) return step.done;
      if (step.progress) tell(step.progress);
    }
  }
}

/** The same with a file as the body; `sending` hears how many bytes of it have left. */
export async function upload<P, D>(route: Route, input: Loose, file: Blob, { type, sending, tell, signal }: { type: string; sending: (bytes: number) => void; tell: (progress: P) => void; signal: AbortSignal }): Promise<D> {
  await ensureFresh();
  const sent: Sent = { method: "POST", url: address(route, input), body: file };
  // `fetch` does not say how much of a body is gone.
  const request = new XMLHttpRequest();
  request.open(sent.method, sent.url);
  request.setRequestHeader("accept", NDJSON);
  request.setRequestHeader("content-type", type);
  request.upload.onprogress = (event) => sending(event.loaded);
  const taken = (): boolean => request.status >= 200 && request.status < 300;
  let read = 0;
  return new Promise((resolve, reject) => {
    const take = (): void => {
      if (!taken()) return;
      for (let end = request.responseText.indexOf("\n", read); end >= 0; end = request.responseText.indexOf("\n", read)) {
        const line = request.responseText.slice(read, end);
        read = end + 1;
        try {
          const step = parsed<P, D>(line, sent, request.getResponseHeader("x-request-id"));
          if (step.progress) tell(step.progress);
          if (step.done) resolve(step.done);
        } catch (error) {
          reject(error as Error);
        }
      }
    };
    request.onprogress = take;
    request.onload = () => {
      take();
      const headers = { "retry-after": request.getResponseHeader("retry-after") ?? "" };
      if (taken()) reject(new Refusal(sent, 0, {}));
      else void refusalOf(sent, new Response(request.responseText, { status: request.status, headers })).then(reject);
    };
    request.onloadend = () => noteCall(sent, request.status);
    request.onerror = () => reject(new Refusal(sent, 0, {}));
    request.onabort = () => reject(new DOMException("", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
