import { useState } from "preact/hooks";
import { t } from "../i18n";
import { site } from "../site";
import { Failure } from "../ui/Failure";
import { errorOf, TextField } from "../ui/Field";
import { useAction } from "../use";
import { CodeByMail } from "./CodeByMail";
import { register } from "./signIn";

export function RegisterForm() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [invitation, setInvitation] = useState("");
  const way = site.value?.registration ?? "open";
  const send = useAction(() =>
    register({
      name: name.trim(),
      password,
      ...(way === "mail" ? { email, captcha: code.trim() } : {}),
      ...(way === "invitation" ? { invitation: invitation.trim() } : {}),
    }),
  );
  if (way === "closed") return <p>{t("account.closed")}</p>;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send.run();
      }}
    >
      <TextField label={t("account.name")} hint={t("account.name_hint")} value={name} change={setName} autoComplete="username" required minLength={3} maxLength={32} autoFocus spellcheck={false} error={errorOf(send.error, "name")} />
      <TextField label={t("account.password")} hint={t("account.password_hint")} type="password" value={password} change={setPassword} autoComplete="new-password" required minLength={8} maxLength={256} error={errorOf(send.error, "password")} />
      {way === "mail" && <CodeByMail purpose="register" email={email} setEmail={setEmail} code={code} setCode={setCode} />}
      {way === "invitation" && <TextField label={t("account.invitation")} value={invitation} change={setInvitation} required spellcheck={false} />}
      {send.error && <Failure of={send.error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={send.busy}>
          {t("account.create")}
        </button>
      </p>
    </form>
  );
}
