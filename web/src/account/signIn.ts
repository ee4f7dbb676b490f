import { signal } from "@preact/signals";
import { call } from "../api/call";
import { begin, me } from "../api/session";
import type { User } from "../api/schema";
import { forget } from "../use";

export interface NewAccount {
  name: string;
  password: string;
  email?: string;
  captcha?: string;
  invitation?: string;
}

interface Wish {
  /** What is done as soon as somebody is signed in. */
  then: () => void;
}

export const wish = signal<Wish | null>(null);

/** Do something that needs an account: at once, or after the reader has signed in. */
export function signedIn(then: () => void): void {
  if (me.peek()) then();
  else wish.value = { then };
}

function welcome(user: User): void {
  forget();
  begin(user);
  const pending = wish.peek();
  wish.value = null;
  pending?.then();
}

export async function signIn(login: string, password: string): Promise<void> {
  welcome((await call("POST /api/auth/login", { body: { login, password, transport: "cookie" } })).user);
}

export async function signInAsGuest(): Promise<void> {
  welcome((await call("POST /api/auth/guest")).user);
}

export async function register(account: NewAccount): Promise<void> {
  const made = await call("POST /api/auth/register", { body: { ...account, transport: "cookie" } });
  if ("user" in made) welcome(made.user);
  else await signIn(account.name, account.password);
}
