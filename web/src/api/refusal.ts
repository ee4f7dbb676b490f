import type { ProblemDetails } from "./schema";

/** What was sent, for "copy as curl". */
export interface Sent {
  method: string;
  url: string;
  body?: unknown;
}

/** An answer that is not a success, or no answer at all (`reason` is then "network"). */
export class Refusal extends Error {
  readonly status: number;
  readonly reason: string;
  readonly kind: string;
  readonly requestId: string;
  readonly retryAfter: number | null;
  readonly errors: { field: string; message: string }[];
  readonly sent: Sent;

  constructor(sent: Sent, status: number, details: Partial<ProblemDetails>, retryAfter: number | null = null) {
    super(details.detail ?? details.title ?? "");
    this.sent = sent;
    this.status = status;
    this.reason = details.reason ?? (status === 0 ? "network" : "internal");
    this.kind = (details.type ?? "").replace("urn:deepoj:error:", "");
    this.requestId = details.request_id ?? "";
    this.retryAfter = retryAfter;
    this.errors = details.errors ?? [];
  }

  /** Nothing was refused: the same request may succeed later. */
  get passing(): boolean {
    return this.status === 0 || this.status === 502 || this.status === 503 || this.status === 504;
  }
}

export async function refusalOf(sent: Sent, response: Response): Promise<Refusal> {
  const details = await response.json().catch(() => ({}));
  const wait = Number(response.headers.get("retry-after"));
  return new Refusal(sent, response.status, details, wait > 0 ? wait : null);
}

// What must not be copied along with a call.
const SECRET = /^(password|new_password|old_password|current_password|captcha|invitation|refresh_token)$/;
const withoutSecrets = (body: unknown): string => JSON.stringify(body, (name, value: unknown) => (SECRET.test(name) && value ? "…" : value));

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function asCurl(sent: Sent): string {
  const parts = ["curl", "-X", sent.method, quoted(location.origin + sent.url), "-H", quoted("Authorization: Bearer $TOKEN")];
  if (sent.body instanceof Blob) parts.push("-H", quoted(`Content-Type: ${sent.body.type || "application/octet-stream"}`), "--data-binary", quoted(`@${sent.body instanceof File ? sent.body.name : "file"}`));
  else if (sent.body !== undefined) parts.push("-H", quoted("Content-Type: application/json"), "-d", quoted(withoutSecrets(sent.body)));
  return parts.join(" ").replace("'Authorization: Bearer $TOKEN'", `"Authorization: Bearer $TOKEN"`);
}

/** The same by the command line, where it has a command for it. */
export function asCommand(sent: Sent): string | null {
  const [path = ""] = sent.url.split("?");
  const submission = path.match(/^\/api\/submissions\/([0-9a-f-]+)/)?.[1];
  const problem = path.match(/^\/api\/problems\/([^/]+)/)?.[1];
  if (sent.method === "POST" && path === "/api/submissions") {
    const body = sent.body as { problem_id: string; contest_id?: string; language: string };
    return `deepoj submit ${body.problem_id} - --language ${body.language}${body.contest_id ? ` --contest ${body.contest_id}` : ""} < solution`;
  }
  if (sent.method === "POST" && path.startsWith("/api/problems") && path.endsWith("/import") && sent.body instanceof File) return `deepoj import ${sent.body.name}`;
  if (sent.method === "GET" && submission) return `deepoj status ${submission}`;
  if (sent.method === "GET" && path.startsWith("/api/problems")) return problem ? `deepoj problems ${problem}` : "deepoj problems";
  return null;
}
