import { t } from "../i18n";
import { Dialog } from "../ui/Dialog";
import { wish } from "./signIn";
import { Ways } from "./Ways";

/** Asks for an account in place, so that what was begun goes on afterwards. */
export default function SignInDialog() {
  return (
    <Dialog title={t("account.needed")} open={wish.value !== null} close={() => (wish.value = null)}>
      <p class="muted">{t("account.needed_text")}</p>
      <Ways first="register" />
    </Dialog>
  );
}
