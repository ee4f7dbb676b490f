import { me } from "../../api/session";
import { t, type Key } from "../../i18n";
import { go, type PageProps } from "../../router";
import { Empty } from "../../ui/Empty";
import { Loading } from "../../ui/Loading";
import { Page } from "../../ui/Page";
import { Tabs } from "../../ui/Tabs";
import { Look } from "./Look";
import { Profile } from "./Profile";
import { Security } from "./Security";
import { Tokens } from "./Tokens";

const PARTS = ["profile", "security", "tokens", "look"] as const;
type Part = (typeof PARTS)[number];

export default function Settings({ params }: PageProps) {
  const part = PARTS.find((each) => each === params["part"]) ?? "profile";
  const tabs = PARTS.map((name) => ({ name, title: t(`settings.${name}` as Key) }));
  return (
    <Page title={t("nav.settings")} tab={t(`settings.${part}` as Key)}>
      <Tabs label={t("nav.settings")} tabs={tabs} chosen={part} choose={(name) => go(`/settings/${name}`, { replace: true })}>
        <Chosen part={part} />
      </Tabs>
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
