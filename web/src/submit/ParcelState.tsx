import { Refusal } from "../api/refusal";
import { now } from "../clock";
import { signedIn } from "../account/signIn";
import { me } from "../api/session";
import { t } from "../i18n";
import { LiveVerdict } from "../submissions/LiveVerdict";
import { Failure } from "../ui/Failure";
import { clockTime } from "../ui/Time";
import { sentence } from "../ui/refusals";
import { deliver, keeps, withdraw, type Parcel } from "./outbox";

const refusalOf = (parcel: Parcel): Refusal => new Refusal({ method: "POST", url: "/api/submissions", body: parcel.body }, 400, { reason: parcel.reason ?? "", detail: parcel.detail, request_id: parcel.requestId });

/** What became of something that was sent: on its way, refused and why, or here with its verdict. */
export function ParcelState({ parcel }: { parcel: Parcel }) {
  switch (parcel.state) {
    case "stored":
      return (
        <div class="stack-tight">
          {parcel.submissionId && <LiveVerdict id={parcel.submissionId} />}
          <p class="small muted">{t("submit.receipt", { time: clockTime(new Date(parcel.madeAt).toISOString()), key: parcel.key.slice(0, 8) })}</p>
        </div>
      );
    case "refused":
      return <Failure of={refusalOf(parcel)} />;
    case "waiting":
      return <Pending parcel={parcel} />;
  }
}

function Pending({ parcel }: { parcel: Parcel }) {
  const seconds = Math.max(0, Math.ceil((parcel.nextAt - now.value) / 1000));
  const waitsForAccount = !me.value;
  const stranger = me.value && parcel.userId && parcel.userId !== me.value.id;
  return (
    <div class="stack-tight" role="status">
      <p>
        <span class="verdict verdict-waiting">
          <span class="spinner" aria-hidden="true" /> {t("submit.sending")}
        </span>
      </p>
      <p class="small muted">
        {waitsForAccount ? t("submit.waits_for_account") : stranger ? t("submit.of_another") : parcel.reason ? sentence(refusalOf(parcel)) : ""} {!waitsForAccount && !stranger && seconds > 0 ? t("submit.again_in", { n: seconds }) : ""}
        {!keeps.value && ` ${t("submit.keep_open")}`}
      </p>
      <p class="actions">
        {waitsForAccount && (
          <button type="button" onClick={() => signedIn(() => void deliver())}>
            {t("nav.sign_in")}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => withdraw(parcel.key)}>
          {t("submit.withdraw")}
        </button>
      </p>
    </div>
  );
}
