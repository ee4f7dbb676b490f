import type { Role, User } from "./api/schema";

const RANKS: Record<Role, number> = { guest: 0, contestant: 1, setter: 2, judge: 3, admin: 4 };

/** Whether somebody has a role or one above it. */
export const atLeast = (role: Role, user: User | null | undefined): boolean => Boolean(user && RANKS[user.role] >= RANKS[role]);
