import { render } from "preact";
import { whoAmI } from "./api/session";
import { chooseLocale, locale } from "./i18n";
import { wish } from "./account/signIn";
import { startFollowing } from "./contest/follow";
import { startLive } from "./live";
import { isFilled } from "./known";
import { pause } from "./lock";
import { followHistory, followLinks, place, Router, shownAt, type Shown } from "./router";
import { missing, ROUTES } from "./routes";
import { callsOpen, startShortcuts } from "./shortcuts";
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

// A reader's own things are worth a moment, while there is something to read.
const WORTH_MS = 1000;

function App({ first }: { first: Shown | null }) {
  return (
    <>
      <Layout>
        <Router routes={ROUTES} missing={missing} first={first} />
      </Layout>
      <Notices />
      <CommandPalette />
      <Help />
      <Lazy when={callsOpen.value} load={() => import("./calls/Calls")} />
      <Lazy when={wish.value !== null} load={() => import("./account/SignInDialog")} />
    </>
  );
}

async function start(): Promise<void> {
  followHistory();
  const identified = whoAmI();
  void askSite();
  const texts = locale.peek() === "en" ? null : chooseLocale(locale.peek()).catch(() => undefined);
  const [first] = await Promise.all([shownAt(place.peek().path, ROUTES, missing).catch(() => null), texts, isFilled && Promise.race([identified, pause(WORTH_MS)])]);
  followLinks();
  startShortcuts();
  startLive();
  startFollowing();
  startOutbox();
  startAnnouncements();
  tidyDrafts();
  const root = document.getElementById("site");
  if (!root) return;
  delete document.documentElement.dataset["other"];
  // What the server has put there is taken over as far as it is the same.
  render(<App first={first} />, root);
}

void start();
