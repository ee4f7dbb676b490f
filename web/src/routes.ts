import type { Route } from "./router";

/** Every address and the part of the site that shows it; each part is loaded when it is first gone to. */
export const ROUTES: readonly Route[] = [
  { pattern: "/", load: () => import("./pages/home/Home") },
  { pattern: "/run", load: () => import("./pages/run/Run") },
];

export const missing: Route["load"] = () => import("./pages/Missing");
