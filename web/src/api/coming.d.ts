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
  interface SessionItem {
    id: string;
    created_at: string;
    last_used_at: string;
    address: string;
    user_agent: string;
    current: boolean;
  }
  interface SessionItems {
    items: SessionItem[];
  }
  interface ProblemStatement {
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
    user_name?: string | null;
    user_display_name?: string | null;
    problem_slug?: string | null;
    problem_title?: string | null;
    contest_title?: string | null;
    contest_label?: string | null;
    judge_hash?: string | null;
    outdated?: boolean;
    worker?: string | null;
    compiler?: string | null;
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
    "POST /api/users/me/password": { body: { password: string; new_password: string }; answer: Session };
    "GET /api/users/me/sessions": { answer: SessionItems };
    "DELETE /api/users/me/sessions/{session_id}": { path: { session_id: string }; answer: null };
    "GET /api/problems/{problem}/statement": {
      path: { problem: string };
      query: { locale?: string; contest_id?: string; revision?: number };
      answer: ProblemStatement;
    };
    "GET /api/problems/tags": { answer: ProblemTags };
    "GET /api/submissions/{submission_id}/attempts/{attempt}/cases/{case_number}/{log}": {
      path: { submission_id: string; attempt: number; case_number: number; log: string };
      answer: Blob;
    };
  }
}
