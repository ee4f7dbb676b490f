import { me } from "../../api/session";
import { t, type Key } from "../../i18n";
import type { PageProps } from "../../router";
import { Empty } from "../../ui/Empty";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { Parts } from "../../ui/Parts";
import { Look } from "./Look";
import { Profile } from "./Profile";
import { Security } from "./Security";
import { Tokens } from "./Tokens";

const PARTS = ["profile", "security", "tokens", "look"] as const;
type Part = (typeof PARTS)[number];

export default function Settings({ params }: PageProps) {
  const part = PARTS.find((each) => each === params["part"]) ?? "profile";
  return (
    <Page title={t("nav.settings")} tab={t(`settings.${part}` as Key)}>
      <Parts label={t("nav.settings")} parts={PARTS.map((name) => ({ href: `/settings/${name}`, text: t(`settings.${name}` as Key) }))} />
      <Chosen part={part} />
    </Page>
  );
}

function Chosen({ part }: { part: Part }) {
  if (part === "look") return <Look />;
  if (me.value === undefined) return <Loading />;
  if (me.value === null) {
    return (
      <Empty title={t("kind.unauthenticated")}>
        <a class="button" href={`/login?next=/settings/${part}`}>
          {t("nav.sign_in")}
        </a>
      </Empty>
    );
  }
  switch (part) {
    case "profile":
      return <Profile user={me.value} />;
    case "security":
      return <Security user={me.value} />;
    case "tokens":
      return <Tokens />;
  }
}
