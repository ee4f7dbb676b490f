import type { ComponentChildren } from "preact";
import type { User } from "../../api/schema";
import { Person } from "../../ui/Person";
import { useCall } from "../../use";

const MOST = 100;
const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids)].filter((id) => id !== null).sort().slice(0, MOST);

/** An id that has no name, or not yet. */
export const Bare = ({ id }: { id: string }) => <code title={id}>{id.slice(0, 8)}</code>;

/** The names of accounts, as links. */
export function usePeople(ids: readonly (string | null)[]): (id: string | null) => ComponentChildren {
  const wanted = distinct(ids);
  const { data } = useCall("GET /api/users", wanted.length ? { query: { id: wanted, size: MOST } } : null);
  const known = new Map((data as { items: Pick<User, "id" | "name">[] } | null)?.items.map((each) => [each.id, each.name]));
  return (id) => {
    const name = id && known.get(id);
    return name ? <Person name={name} /> : id && <Bare id={id} />;
  };
}

/** The titles of problems, as links. */
export function useProblems(ids: readonly (string | null)[]): (id: string | null) => ComponentChildren {
  const wanted = distinct(ids);
  const { data } = useCall("GET /api/problems", wanted.length ? { query: { id: wanted, size: MOST } } : null);
  const known = new Map(data?.items.map((each) => [each.id, each]));
  return (id) => {
    const problem = id && known.get(id);
    return problem ? <a href={`/problems/${problem.slug}`}>{problem.title}</a> : id && <Bare id={id} />;
  };
}
