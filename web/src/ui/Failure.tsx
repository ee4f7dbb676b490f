import { asCommand, asCurl, type Refusal } from "../api/refusal";
import { find, t } from "../i18n";
import { Copy } from "./Copy";
import { sentence } from "./refusals";

/** A refusal where it happened: what, which request, how to repeat it by hand, and a way on. */
export function Failure({ of, retry }: { of: Refusal | null; retry?: () => void }) {
  const command = of && of.status !== 0 ? asCommand(of.sent) : null;
  return (
    <div class="failure" role="alert">
      <p class="failure-text">{of ? sentence(of) : t("state.renewed")}</p>
      {of && of.message && find(`reason.${of.reason}`) === null && find(`kind.${of.kind}`) !== null && (
        <p class="small">
          {of.message} <code>{of.reason}</code>
        </p>
      )}
      {of && of.errors.length > 0 && (
        <ul>
          {of.errors.map((each) => (
            <li key={each.field}>
              <code>{each.field}</code>: {each.message}
            </li>
          ))}
        </ul>
      )}
      <p class="actions">
        {retry && (
          <button type="button" onClick={retry}>
            {t("action.retry")}
          </button>
        )}
        {of && of.requestId && (
          <span class="muted small">
            {t("failure.request")} <code>{of.requestId}</code>
          </span>
        )}
        {of && of.status !== 0 && <Copy text={() => asCurl(of.sent)} label={t("action.copy_curl")} />}
        {command && <Copy text={command} label={t("action.copy_command")} />}
      </p>
    </div>
  );
}
