import type { Case, Problem, ProblemJudging } from "../../api/schema";
import { t } from "../../i18n";

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** What people read that differs between two states of a problem, in sentences. */
export function readingChanges(before: Problem, after: Problem): string[] {
  const found: string[] = [];
  const locales = new Set([...before.statements, ...after.statements].map((each) => each.locale));
  for (const locale of [...locales].sort()) {
    const [old, fresh] = [before, after].map((each) => each.statements.find((statement) => statement.locale === locale));
    if (!old) found.push(t("changes.statement_new", { locale }));
    else if (!fresh) found.push(t("changes.statement_gone", { locale }));
    else if (!same(old, fresh)) found.push(t("changes.statement", { locale }));
  }
  if (!same(before.samples, after.samples)) found.push(t("changes.samples"));
  if (!same(before.assets, after.assets)) found.push(t("changes.assets"));
  return found;
}

/** What verdicts depend on and is part of the problem itself. */
export function limitChanges(before: Problem, after: Problem): string[] {
  return [...(same(before.limits, after.limits) ? [] : [t("changes.limits")]), ...(same(before.languages, after.languages) ? [] : [t("changes.languages")])];
}

/** What verdicts depend on and only setters see. */
export function testChanges(before: ProblemJudging, after: ProblemJudging): string[] {
  const [old, fresh] = [before, after].map((each) => new Map(each.judging.cases.map((one) => [one.name, one]))) as [Map<string, Case>, Map<string, Case>];
  const added = [...fresh.keys()].filter((name) => !old.has(name)).length;
  const gone = [...old.keys()].filter((name) => !fresh.has(name)).length;
  const changed = [...fresh].filter(([name, one]) => old.has(name) && !same(old.get(name), one)).length;
  const found = added + gone + changed > 0 ? [t("changes.cases", { added, gone, changed })] : [];
  if (!same(before.judging.groups, after.judging.groups)) found.push(t("changes.groups"));
  if (!same([before.judging.checker, before.judging.source_checker], [after.judging.checker, after.judging.source_checker])) found.push(t("changes.checker"));
  return found;
}
