import { useState } from "preact/hooks";
import { call } from "../../api/call";
import { begin } from "../../api/session";
import { t } from "../../i18n";
import { Failure } from "../../ui/Failure";
import { TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { useAction } from "../../use";

/** Another password, by the present one; all other sessions end. */
export function NewPassword() {
  const [present, setPresent] = useState("");
  const [next, setNext] = useState("");
  const send = useAction(async () => {
    begin((await call("POST /api/users/me/password", { body: { password: present, new_password: next } })).user);
    setPresent("");
    setNext("");
    notify(t("action.saved"), { tone: "good" });
  });
  return (
    <form
      class="form stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send.run();
      }}
    >
      <h2>{t("security.password")}</h2>
      <TextField label={t("security.present_password")} type="password" value={present} change={setPresent} autoComplete="current-password" required />
      <TextField label={t("account.new_password")} hint={t("account.password_hint")} type="password" value={next} change={setNext} autoComplete="new-password" required minLength={8} maxLength={256} />
      {send.error && <Failure of={send.error} />}
      <p class="actions">
        <button type="submit" disabled={send.busy}>
          {t("account.set_password")}
        </button>
        <a href="/reset">{t("account.forgotten")}</a>
      </p>
    </form>
  );
}
