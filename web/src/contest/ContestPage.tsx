import type { ComponentChildren } from "preact";
import type { ContestDetail } from "../api/schema";
import { t, titleOf } from "../i18n";
import { place } from "../router";
import { Failure } from "../ui/Failure";
import { Loading } from "../ui/Loading";
import { useTitle, type Asked } from "../use";
import { hasBegun, PhaseWords } from "./words";

interface Given {
  asked: Asked<ContestDetail>;
  /** What the browser's tab says before the contest's name. */
  tab?: string;
  wide?: boolean;
  /** What is offered where there is no such contest for this reader. */
  missing?: ComponentChildren;
  children: (detail: ContestDetail) => ComponentChildren;
}

/** What all pages of a contest have above them: its name, how far it is, and the ways between its pages. */
export function ContestPage({ asked, tab, wide = false, missing, children }: Given) {
  const title = asked.data?.contest.title;
  useTitle(title && tab ? `${tab} · ${title}` : title);
  if (asked.error && !asked.data) {
    return (
      <div class="page">
        <Failure of={asked.error} retry={asked.reload} />
        {asked.error.status === 404 && missing}
      </div>
    );
  }
  if (!asked.data) return <Loading />;
  return (
    <div class="contest">
      <Head detail={asked.data} />
      {wide ? children(asked.data) : <div class="page">{children(asked.data)}</div>}
    </div>
  );
}

function Head({ detail }: { detail: ContestDetail }) {
  const { contest } = detail;
  const base = `/contests/${contest.id}`;
  const path = place.value.path;
  const links = [
    { href: base, text: t("contest.overview") },
    ...contest.problems.map((each) => ({ href: `${base}/${encodeURIComponent(each.label)}`, text: each.label, title: titleOf(each) })),
    ...(hasBegun(contest.phase) || detail.staff ? [{ href: `${base}/board`, text: t("contest.board") }] : []),
    { href: `${base}/submissions`, text: t("nav.submissions") },
    { href: `${base}/clarifications`, text: t("contest.clarifications") },
    ...(detail.staff ? [{ href: `${base}/manage/plan`, text: t("contest.manage") }] : []),
  ];
  const current = (href: string): boolean => path === href || (href.endsWith("/manage/plan") && path.startsWith(`${base}/manage`));
  return (
    <header class="contest-head">
      <div class="row spread">
        {path === base ? <h1>{contest.title}</h1> : <a class="contest-title" href={base}>{contest.title}</a>}
        <PhaseWords contest={contest} />
      </div>
      <nav aria-label={t("contest.parts")}>
        <ul class="nav-links">
          {links.map((each) => (
            <li key={each.href}>
              <a href={each.href} title={"title" in each ? each.title : undefined} aria-current={current(each.href) ? "page" : undefined}>
                {each.text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
