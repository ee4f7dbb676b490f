import { useEffect, useState } from "preact/hooks";
import { call } from "../api/call";

const known = new Map<string, string>();
const AT_ONCE = 100;

interface Named {
  id: string;
  name: string;
  display_name: string;
}

/** Names for the ids of accounts; an id whose name is not known yet is shown short. */
export function useNames(ids: readonly (string | null | undefined)[]): (id: string | null | undefined) => string {
  const [, redraw] = useState(0);
  const missing = [...new Set(ids)].filter((id): id is string => Boolean(id) && !known.has(id as string));
  useEffect(() => {
    if (missing.length === 0) return;
    call("GET /api/users", { query: { id: missing.slice(0, AT_ONCE) } }).then(
      (answer) => {
        for (const each of (answer as { items: Named[] }).items) known.set(each.id, each.display_name || each.name);
        redraw((count) => count + 1);
      },
      () => undefined,
    );
  }, [missing.join()]);
  return (id) => (id ? (known.get(id) ?? id.slice(0, 8)) : "");
}
