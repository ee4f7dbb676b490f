import type { ComponentChildren } from "preact";
import type { Role } from "../api/schema";
import { me } from "../api/session";
import { t, type Key } from "../i18n";
import { atLeast } from "../roles";
import { place } from "../router";
import { Empty } from "./Empty";
import { Loading } from "./Loading";

/** Shows what is for a role to who has it; to others, what they lack. */
export function Gate({ role, children }: { role: Role; children: () => ComponentChildren }) {
  if (me.value === undefined) return <Loading />;
  if (me.value === null) {
    return (
      <Empty title={t("kind.unauthenticated")}>
        <a class="button" href={`/login?next=${encodeURIComponent(place.value.path)}`}>
          {t("nav.sign_in")}
        </a>
      </Empty>
    );
  }
  if (!atLeast(role, me.value)) {
    return (
      <Empty title={t("gate.title")}>
        <p class="muted">{t("gate.text", { role: t(`role.${role}` as Key), mine: t(`role.${me.value.role}` as Key) })}</p>
      </Empty>
    );
  }
  return <>{children()}</>;
}
