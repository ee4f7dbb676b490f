import { useState } from "preact/hooks";
import { CodeByMail } from "../../account/CodeByMail";
import { call } from "../../api/call";
import { end } from "../../api/session";
import { t } from "../../i18n";
import { go } from "../../router";
import { Failure } from "../../ui/Failure";
import { TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { Page } from "../../ui/Page";
import { useAction } from "../../use";

export default function Reset() {
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const send = useAction(async () => {
    await call("POST /api/auth/password", { body: { email, captcha: code.trim(), new_password: password } });
    end();
    notify(t("account.password_set"), { tone: "good" });
    go("/login");
  });
  return (
    <div class="narrow">
      <Page title={t("account.reset")} tab={t("account.reset")}>
        <p class="muted">{t("account.reset_text")}</p>
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void send.run();
          }}
        >
          <CodeByMail purpose="change_password" email={email} setEmail={setEmail} code={code} setCode={setCode} />
          <TextField label={t("account.new_password")} hint={t("account.password_hint")} type="password" value={password} change={setPassword} autoComplete="new-password" required minLength={8} maxLength={256} />
          {send.error && <Failure of={send.error} />}
          <p class="actions">
            <button type="submit" class="primary" disabled={send.busy}>
              {t("account.set_password")}
            </button>
          </p>
        </form>
      </Page>
    </div>
  );
}
