import { useState } from "preact/hooks";
import { t } from "../i18n";
import { TextField } from "../ui/Field";
import { Failure } from "../ui/Failure";
import { useAction } from "../use";
import { signIn } from "./signIn";

export function SignInForm() {
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const send = useAction(() => signIn(login.trim(), password));
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send.run();
      }}
    >
      <TextField label={t("account.login")} value={login} change={setLogin} autoComplete="username" required autoFocus spellcheck={false} />
      <TextField label={t("account.password")} type="password" value={password} change={setPassword} autoComplete="current-password" required />
      {send.error && <Failure of={send.error} />}
      <p class="actions spread">
        <button type="submit" class="primary" disabled={send.busy}>
          {t("nav.sign_in")}
        </button>
        <a href="/reset">{t("account.forgotten")}</a>
      </p>
    </form>
  );
}
