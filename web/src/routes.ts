import type { Route } from "./router";

/** Every address and the part of the site that shows it; each part is loaded when it is first gone to. */
export const ROUTES: readonly Route[] = [
  { pattern: "/", load: () => import("./pages/home/Home") },
  { pattern: "/problems", load: () => import("./pages/problems/Problems") },
  { pattern: "/problems/:slug", load: () => import("./pages/problems/Problem") },
  { pattern: "/run", load: () => import("./pages/run/Run") },
  { pattern: "/submissions", load: () => import("./pages/submissions/Submissions") },
  { pattern: "/submissions/:id", load: () => import("./pages/submissions/Submission") },
  { pattern: "/contests", load: () => import("./pages/contests/Contests") },
  { pattern: "/contests/new", load: () => import("./pages/manage/NewContest") },
  { pattern: "/contests/:id", load: () => import("./pages/contests/Contest") },
  { pattern: "/contests/:id/board", load: () => import("./pages/board/Board") },
  { pattern: "/contests/:id/tv", load: () => import("./pages/board/Tv") },
  { pattern: "/contests/:id/clarifications", load: () => import("./pages/contests/ContestClarifications") },
  { pattern: "/contests/:id/submissions", load: () => import("./pages/contests/ContestSubmissions") },
  { pattern: "/contests/:id/manage", load: () => import("./pages/manage/Manage") },
  { pattern: "/contests/:id/manage/:part", load: () => import("./pages/manage/Manage") },
  { pattern: "/contests/:id/:label", load: () => import("./pages/contests/ContestProblem") },
  { pattern: "/setter", load: () => import("./pages/setter/Setter") },
  { pattern: "/setter/:slug", load: () => import("./pages/setter/Setter") },
  { pattern: "/setter/:slug/:part", load: () => import("./pages/setter/Setter") },
  { pattern: "/admin", load: () => import("./pages/admin/Admin") },
  { pattern: "/admin/:part", load: () => import("./pages/admin/Admin") },
  { pattern: "/admin/:part/:id", load: () => import("./pages/admin/Admin") },
  { pattern: "/u/:name", load: () => import("./pages/user/User") },
  { pattern: "/settings/:part", load: () => import("./pages/settings/Settings") },
  { pattern: "/login", load: () => import("./pages/account/SignIn") },
  { pattern: "/register", load: () => import("./pages/account/SignIn") },
  { pattern: "/reset", load: () => import("./pages/account/Reset") },
];

export const missing: Route["load"] = () => import("./pages/Missing");
