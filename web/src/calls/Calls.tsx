import { called } from "../api/called";
import { asCommand, asCurl } from "../api/refusal";
import { t } from "../i18n";
import { callsOpen } from "../shortcuts";
import { Copy } from "../ui/Copy";
import { Dialog } from "../ui/Dialog";
import { Empty } from "../ui/Empty";

/** Every button says its call: what this page asked of the server, to be repeated without it. */
export default function Calls() {
  return (
    <Dialog title={t("calls.title")} open={callsOpen.value} close={() => (callsOpen.value = false)} wide>
      <p class="muted">
        {t("calls.text")} <a href="/settings/tokens" onClick={() => (callsOpen.value = false)}>{t("settings.tokens")}</a>
      </p>
      {called.value.length === 0 && <Empty title={t("calls.none")} />}
      <ol class="calls">
        {called.value.map(({ sent, status }, index) => {
          const command = asCommand(sent);
          return (
            <li key={`${called.value.length - index} ${sent.url}`}>
              <code>
                {sent.method} {sent.url}
              </code>{" "}
              <span class="muted small">{status || t("calls.unanswered")}</span>
              <span class="actions">
                <Copy text={() => asCurl(sent)} label={t("action.copy_curl")} />
                {command && <Copy text={command} label={t("action.copy_command")} />}
              </span>
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}
