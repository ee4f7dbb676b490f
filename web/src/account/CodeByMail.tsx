import { useState } from "preact/hooks";
import { call } from "../api/call";
import { t } from "../i18n";
import { Failure } from "../ui/Failure";
import { TextField } from "../ui/Field";
import { useAction } from "../use";

/** An address, a button that has a code sent there, and the code. */
export function CodeByMail({ purpose, email, setEmail, code, setCode }: { purpose: "register" | "change_password"; email: string; setEmail: (text: string) => void; code: string; setCode: (text: string) => void }) {
  const [sent, setSent] = useState(false);
  const send = useAction(async () => {
    await call("POST /api/auth/captchas", { body: { email, purpose } });
    setSent(true);
  });
  return (
    <>
      <TextField label={t("account.email")} type="email" value={email} change={setEmail} autoComplete="email" required />
      <p class="actions">
        <button type="button" disabled={send.busy || email.length < 5} onClick={() => void send.run()}>
          {t("account.send_code")}
        </button>
        <span class="small muted" role="status">
          {sent && t("account.code_sent")}
        </span>
      </p>
      {send.error && <Failure of={send.error} />}
      <TextField label={t("account.code")} value={code} change={setCode} autoComplete="one-time-code" required spellcheck={false} />
    </>
  );
}
