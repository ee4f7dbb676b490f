import type { Routes } from "./schema";
import { Refusal, refusalOf, type Sent } from "./refusal";
import { ensureFresh, renew } from "./session";
import { noteCall } from "./called";
import { noteServerTime } from "../clock";

export type Route = keyof Routes;
export type Answer<R extends Route> = Routes[R]["answer"];
type Parts<R extends Route> = Omit<Routes[R], "answer">;
type Given<R extends Route> = { [K in keyof Parts<R> as K extends "query" ? never : K]: Parts<R>[K] } & ("query" extends keyof Parts<R>
  ? {} extends Parts<R>["query"]
    ? { query?: Parts<R>["query"] }
    : { query: Parts<R>["query"] }
  : {});
export type Input<R extends Route> = Given<R>;
type Arguments<R extends Route> = {} extends Given<R> ? [input?: Given<R>, options?: Options] : [input: Given<R>, options?: Options];

export interface Options {
  signal?: AbortSignal;
  /** The same key and body twice make one submission. */
  idempotencyKey?: string;
}

interface Loose {
  path?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The address of a route, its parameters filled in. */
export function address(route: Route, input: Loose = {}): string {
  const template = route.slice(route.indexOf(" ") + 1);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.path?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") query.append(name, String(each));
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Call the API. Throws a `Refusal` and nothing else, but for the `AbortError` of a signal. */
export async function call<R extends Route>(route: R, ...[input, options]: Arguments<R>): Promise<Answer<R>> {
  const response = await send(route, (input ?? {}) as Loose, options);
  if (response.status === 204) return null as Answer<R>;
  if (response.headers.get("content-type")?.includes("json")) return (await response.json()) as Answer<R>;
  return (await response.blob()) as Answer<R>;
}

/** Like `call`, for answers read piece by piece: lines of JSON, files. */
export async function send(route: Route, input: Loose, options: Options & { accept?: string } = {}): Promise<Response> {
  const sent: Sent = { method: route.slice(0, route.indexOf(" ")), url: address(route, input), body: input.body };
  await ensureFresh();
  let response = await attempt(sent, options);
  if (response.status === 401 && !sent.url.startsWith("/api/auth/") && (await renew())) response = await attempt(sent, options);
  if (!response.ok) throw await refusalOf(sent, response);
  return response;
}

async function attempt(sent: Sent, options: Options & { accept?: string }): Promise<Response> {
  const headers: Record<string, string> = { accept: options.accept ?? "application/json" };
  const raw = sent.body instanceof Blob;
  if (sent.body !== undefined && !raw) headers["content-type"] = "application/json";
  if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
  const body = sent.body === undefined ? null : raw ? (sent.body as Blob) : JSON.stringify(sent.body);
  try {
    const response = await fetch(sent.url, { method: sent.method, headers, body, signal: options.signal ?? null });
    noteServerTime(response.headers.get("date"));
    noteCall(sent, response.status);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    noteCall(sent, 0);
    throw new Refusal(sent, 0, {});
  }
}
