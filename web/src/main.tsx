import { render } from "preact";
import { whoAmI } from "./api/session";
import { chooseLocale, locale } from "./i18n";
import { wish } from "./account/signIn";
import { startFollowing } from "./contest/follow";
import { startLive } from "./live";
import { Router, startRouter } from "./router";
import { missing, ROUTES } from "./routes";
import { startShortcuts } from "./shortcuts";
import { askSite } from "./site";
import { tidyDrafts } from "./solve/drafts";
import { startAnnouncements } from "./submissions/announcements";
import { startOutbox } from "./submit/outbox";
import { CommandPalette } from "./ui/CommandPalette";
import { Help } from "./ui/Help";
import { Layout } from "./ui/Layout";
import { Lazy } from "./ui/Lazy";
import { Notices } from "./ui/notices";
import "./theme";

function App() {
  return (
    <>
      <Layout>
        <Router routes={ROUTES} missing={missing} />
      </Layout>
      <Notices />
      <CommandPalette />
      <Help />
      <Lazy when={wish.value !== null} load={() => import("./account/SignInDialog")} />
    </>
  );
}

async function start(): Promise<void> {
  void whoAmI();
  void askSite();
  if (locale.peek() !== "en") await chooseLocale(locale.peek()).catch(() => undefined);
  startRouter();
  startShortcuts();
  startLive();
  startFollowing();
  startOutbox();
  startAnnouncements();
  tidyDrafts();
  const root = document.getElementById("site");
  if (root) render(<App />, root);
}

void start();
