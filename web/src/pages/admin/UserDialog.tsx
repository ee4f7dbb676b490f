import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call";
import type { GrantedRole, User } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Dialog } from "../../ui/Dialog";
import { Failure } from "../../ui/Failure";
import { Select, TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { useAction } from "../../use";
import { Secret } from "./Secret";
import { ROLES } from "./Users";

/** Role, status, name and password of one account, and its end. */
export function UserDialog({ user, close, changed }: { user: User | null; close: () => void; changed: () => void }) {
  return (
    <Dialog title={user ? t("users.manage_one", { name: user.name }) : ""} open={user !== null} close={close}>
      {user && <Changes key={user.id} user={user} changed={changed} close={close} />}
    </Dialog>
  );
}

function Changes({ user, changed, close }: { user: User; changed: () => void; close: () => void }) {
  const [role, setRole] = useState<GrantedRole>(ROLES.find((each) => each === user.role) ?? "contestant");
  const [reason, setReason] = useState("");
  const [shownName, setShownName] = useState(user.display_name);
  const [typed, type] = useState("");
  const [password, setPassword] = useState<string | null>(null);
  const path = { user_id: user.id };
  const change = useAction(async (work: () => Promise<unknown>) => {
    await work();
    changed();
    notify(t("action.saved"), { tone: "good" });
    close();
  });
  const reset = useAction(async () => setPassword((await call("POST /api/users/{user_id}/password", { path })).password));
  useEffect(() => () => setPassword(null), []);
  const status = user.status === "suspended" ? "active" : "suspended";
  const error = change.error ?? reset.error;
  return (
    <div class="stack">
      <p class="hint">{t("users.ends_sessions")}</p>
      {error && <Failure of={error} />}
      <Select label={t("users.role")} value={role} change={(value) => setRole(value as GrantedRole)} options={ROLES.map((each) => ({ value: each, text: t(`role.${each}` as Key) }))} />
      <p class="actions">
        <button type="button" disabled={change.busy || role === user.role} onClick={() => void change.run(() => call("PUT /api/users/{user_id}/role", { path, body: { role } }))}>
          {t("users.set_role")}
        </button>
      </p>
      <TextField label={t("settings.display_name")} value={shownName} change={setShownName} maxLength={64} />
      <p class="actions">
        <button type="button" disabled={change.busy || shownName === user.display_name} onClick={() => void change.run(() => call("PATCH /api/users/{user_id}", { path, body: { display_name: shownName } }))}>
          {t("users.rename")}
        </button>
      </p>
      {status === "suspended" && <TextField label={t("users.suspend_reason")} value={reason} change={setReason} maxLength={500} />}
      <p class="actions">
        <button type="button" class={status === "suspended" ? "danger" : ""} disabled={change.busy} onClick={() => void change.run(() => call("PUT /api/users/{user_id}/status", { path, body: { status, reason } }))}>
          {t(status === "suspended" ? "users.suspend" : "users.activate")}
        </button>
      </p>
      {password ? (
        <Secret name={user.name} password={password} />
      ) : (
        <p class="actions">
          <button type="button" class="danger" disabled={reset.busy} onClick={() => void reset.run()}>
            {t("users.reset")}
          </button>
        </p>
      )}
      <TextField label={t("users.type_name", { name: user.name })} hint={t("users.delete_hint")} value={typed} change={type} maxLength={64} autoComplete="off" />
      <p class="actions">
        <button type="button" class="danger" disabled={change.busy || typed !== user.name} onClick={() => void change.run(() => call("DELETE /api/users/{user_id}", { path }))}>
          {t("users.delete")}
        </button>
      </p>
    </div>
  );
}
