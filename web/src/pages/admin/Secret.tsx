import { t } from "../../i18n";
import { Copy } from "../../ui/Copy";

/** A password that was made just now and is shown once. */
export function Secret({ name, password }: { name: string; password: string }) {
  return (
    <div class="panel" role="status">
      <p>{t("users.password_once", { name })}</p>
      <p class="row">
        <code class="command">{password}</code> <Copy text={password} />
      </p>
    </div>
  );
}
