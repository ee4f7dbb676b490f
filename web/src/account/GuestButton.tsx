import { t } from "../i18n";
import { site } from "../site";
import { Failure } from "../ui/Failure";
import { useAction } from "../use";
import { signInAsGuest } from "./signIn";

/** One click to an account with a made-up name, where the site offers it. */
export function GuestButton() {
  const send = useAction(signInAsGuest);
  if (!site.value?.guest_accounts) return null;
  return (
    <div class="stack">
      <p>
        <button type="button" class="primary" disabled={send.busy} onClick={() => void send.run()}>
          {t("account.as_guest")}
        </button>
      </p>
      <p class="hint">{t("account.guest_hint")}</p>
      {send.error && <Failure of={send.error} />}
    </div>
  );
}
