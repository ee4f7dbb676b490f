import type { ComponentType } from "preact";
import type { Role } from "../../api/schema";
import { me } from "../../api/session";
import { t, type Key } from "../../i18n";
import { atLeast } from "../../roles";
import type { PageProps } from "../../router";
import { Gate } from "../../ui/Gate";
import { Page } from "../../ui/Page";
import { Parts } from "../../ui/Parts";
import Missing from "../Missing";
import { Audit } from "./Audit";
import { Dead } from "./Dead";
import { Invitations } from "./Invitations";
import { Limits } from "./Limits";
import { NowPage } from "./Now";
import { Queue } from "./Queue";
import { Rejudge } from "./Rejudge";
import { Rejudges } from "./Rejudges";
import { Users } from "./Users";
import { Workers } from "./Workers";

interface Part {
  name: string;
  role: Role;
  shows: ComponentType;
}

const PARTS: readonly Part[] = [
  { name: "now", role: "admin", shows: NowPage },
  { name: "queue", role: "judge", shows: Queue },
  { name: "workers", role: "judge", shows: Workers },
  { name: "dead", role: "admin", shows: Dead },
  { name: "rejudges", role: "judge", shows: Rejudges },
  { name: "users", role: "admin", shows: Users },
  { name: "invitations", role: "admin", shows: Invitations },
  { name: "audit", role: "admin", shows: Audit },
  { name: "limits", role: "admin", shows: Limits },
];

/** What judges, admins and operators look at. /admin is the first page that the reader may see. */
export default function Admin({ params }: PageProps) {
  const allowed = PARTS.filter((each) => atLeast(each.role, me.value));
  const wanted = params["part"];
  const part = wanted ? PARTS.find((each) => each.name === wanted) : (allowed[0] ?? PARTS[0]);
  const id = params["id"];
  if (!part || (id && part.name !== "rejudges")) return <Missing />;
  const title = t(`admin.${part.name}` as Key);
  return (
    <Page title={title} tab={title}>
      {allowed.length > 0 && <Parts label={t("nav.admin")} parts={allowed.map((each) => ({ href: `/admin/${each.name}`, text: t(`admin.${each.name}` as Key) }))} />}
      <Gate role={part.role}>{() => (id ? <Rejudge id={id} /> : <part.shows />)}</Gate>
    </Page>
  );
}
