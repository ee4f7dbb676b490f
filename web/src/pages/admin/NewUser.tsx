import { useState } from "preact/hooks";
import { call } from "../../api/call";
import type { CreatedUser, GrantedRole } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { errorOf, Select, TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { useAction } from "../../use";
import { Secret } from "./Secret";
import { ROLES } from "./Users";

/** One account; without a password it gets one, which is shown once. */
export function NewUser({ made }: { made: () => void }) {
  const [name, setName] = useState("");
  const [shown, setShown] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<GrantedRole>("contestant");
  const [created, setCreated] = useState<CreatedUser | null>(null);
  const create = useAction(async () => {
    const answer = await call("POST /api/users", { body: { name, display_name: shown, email: email || null, role } });
    setCreated(answer);
    notify(t("users.created", { name: answer.user.name }), { tone: "good" });
    setName("");
    setShown("");
    setEmail("");
    made();
  });
  return (
    <details class="panel">
      <summary>{t("users.new")}</summary>
      <form
        class="form stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <TextField label={t("account.name")} hint={t("account.name_hint")} value={name} change={setName} error={errorOf(create.error, "name")} required maxLength={32} />
        <TextField label={t("settings.display_name")} value={shown} change={setShown} error={errorOf(create.error, "display_name")} maxLength={64} />
        <TextField label={t("account.email")} type="email" value={email} change={setEmail} error={errorOf(create.error, "email")} maxLength={254} />
        <Select label={t("users.role")} value={role} change={(value) => setRole(value as GrantedRole)} options={ROLES.map((each) => ({ value: each, text: t(`role.${each}` as Key) }))} />
        {create.error && <Failure of={create.error} />}
        <p class="actions">
          <button type="submit" class="primary" disabled={create.busy}>
            {t("account.create")}
          </button>
        </p>
      </form>
      {created?.password && <Secret name={created.user.name} password={created.password} />}
    </details>
  );
}
