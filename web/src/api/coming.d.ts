// Routes and fields that the site reads and the description does not have yet. Delete what has arrived.
import type {} from "./schema";

declare module "./schema" {
  interface Site {
    name: string;
    version: string;
    time: string;
    registration: "open" | "mail" | "invitation" | "closed";
    demo: boolean;
    guest_accounts: boolean;
    first_admin_hint: string | null;
    locales: string[];
    limits: { source_bytes: number; input_bytes: number; page_size: number };
    start_problem: string | null;
  }
  interface NewAccount {
    name: string;
    password: string;
    display_name?: string;
    email?: string;
    captcha?: string;
    invitation?: string;
    transport?: "bearer" | "cookie";
  }
  interface UserNames {
    items: { id: string; name: string; display_name: string }[];
  }
  interface OwnSession {
    id: string;
    created_at: string;
    last_used_at: string | null;
    address: string;
    user_agent: string;
    current: boolean;
  }
  interface OwnSessions {
    items: OwnSession[];
  }
  interface RenderedStatement {
    locale: string;
    locales: string[];
    title: string;
    html: string;
    pdf: string | null;
    format: "markdown" | "tex" | "pdf";
  }
  interface ProblemTags {
    items: { tag: string; count: number }[];
  }
  interface ProblemSummary {
    mine: "solved" | "tried" | null;
    accepted: number;
    attempted: number;
    locales: string[];
  }
  interface Submission {
    user_name: string | null;
    user_display_name: string | null;
    problem_slug: string | null;
    problem_title: string | null;
    contest_title: string | null;
    contest_label: string | null;
    judge_hash: string | null;
    outdated: boolean;
    worker: string | null;
    compiler: string | null;
  }
  interface CaseResult {
    sample: boolean;
  }
  interface Explanation {
    cause: string | null;
    ahead: number | null;
    estimate_ms: number | null;
    reason_code: string | null;
    worker: string | null;
  }
  interface Routes {
    "GET /api/site": { answer: Site };
    "POST /api/auth/guest": { answer: Session };
    "GET /api/users/me/sessions": { answer: OwnSessions };
    "DELETE /api/users/me/sessions/{session_id}": { path: { session_id: string }; answer: null };
    "GET /api/problems/{problem}/statement": {
      path: { problem: string };
      query: { locale?: string; contest_id?: string; revision?: number };
      answer: RenderedStatement;
    };
    "GET /api/problems/tags": { answer: ProblemTags };
    "GET /api/submissions/{submission_id}/attempts/{attempt}/cases/{number}/{part}": {
      path: { submission_id: string; attempt: number; number: number; part: string };
      answer: Blob;
    };
    "GET /api/submissions/{submission_id}/attempts/{attempt}/compile.log": {
      path: { submission_id: string; attempt: number };
      answer: Blob;
    };
  }
}
