import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/call";
import type { Level } from "../../api/schema";
import { t, type Key } from "../../i18n";
import { go } from "../../router";
import { Failure } from "../../ui/Failure";
import { Select, TextField } from "../../ui/Field";
import { notify } from "../../ui/notices";
import { Section } from "../../ui/Section";
import { useAction } from "../../use";
import { besideOf } from "./edit";
import type { PartProps } from "./ProblemParts";

const LEVELS: readonly Level[] = ["easy", "medium", "hard"];

/** Who may see it, how it is listed, and its end. */
export function Publish({ problem, changed }: PartProps) {
  const path = { problem: problem.id };
  const publish = useAction(async () => {
    await call("PUT /api/problems/{problem}/published", { path, body: { enabled: !problem.enabled } });
    changed();
  });
  return (
    <>
      <Section title={t("setter.visibility")}>
        <p role="status">{t(problem.enabled ? "publish.is_published" : "publish.is_hidden")}</p>
        {publish.error && <Failure of={publish.error} />}
        <p class="actions">
          <button type="button" class={problem.enabled ? "" : "primary"} disabled={publish.busy} onClick={() => void publish.run()}>
            {t(problem.enabled ? "publish.hide" : "publish.publish")}
          </button>
          {!problem.enabled && <a href={`/setter/${problem.slug}/check`}>{t("publish.check_first")}</a>}
        </p>
      </Section>
      <Listing problem={problem} changed={changed} />
      <Removal problem={problem} changed={changed} />
    </>
  );
}

function Listing({ problem, changed }: PartProps) {
  const [slug, setSlug] = useState(problem.slug);
  const [level, setLevel] = useState<string>(problem.level ?? "");
  const [tags, setTags] = useState(problem.tags.join(", "));
  const save = useAction(async () => {
    const body = { version: problem.version, slug, level: LEVELS.find((each) => each === level) ?? null, tags: [...new Set(tags.split(",").map((each) => each.trim()).filter(Boolean))] };
    const saved = await call("PATCH /api/problems/{problem}", { path: { problem: problem.id }, body });
    notify(t("action.saved"), { tone: "good" });
    if (saved.slug === problem.slug) changed();
    else go(`/setter/${saved.slug}/publish`, { replace: true });
  });
  // Until it has been read again it would be refused again.
  useEffect(() => save.clear(), [problem.version]);
  return (
    <Section title={t("publish.listing")}>
      <form
        class="form stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        <TextField label={t("setter.slug")} hint={t("publish.slug_hint")} value={slug} change={setSlug} error={besideOf(save.error, "slug", ["slug_malformed", "slug_taken"])} required maxLength={64} />
        <Select label={t("problems.level")} value={level} change={setLevel} options={[{ value: "", text: t("publish.no_level") }, ...LEVELS.map((each) => ({ value: each, text: t(`level.${each}` as Key) }))]} />
        <TextField label={t("problems.tags")} hint={t("publish.tags_hint")} value={tags} change={setTags} error={besideOf(save.error, "tags", ["tag_malformed", "too_many_tags"])} maxLength={1000} />
        {save.error && <Failure of={save.error} retry={() => (save.error?.reason === "stale_version" ? changed() : void save.run())} />}
        <p class="actions">
          <button type="submit" class="primary" disabled={save.busy}>
            {t("action.save")}
          </button>
        </p>
      </form>
    </Section>
  );
}

function Removal({ problem }: PartProps) {
  const [typed, type] = useState("");
  const remove = useAction(async () => {
    await call("DELETE /api/problems/{problem}", { path: { problem: problem.id }, query: { version: problem.version } });
    notify(t("publish.deleted", { title: problem.title }), { tone: "good" });
    go("/setter");
  });
  return (
    <details class="panel">
      <summary>{t("publish.delete")}</summary>
      <form
        class="form stack"
        onSubmit={(event) => {
          event.preventDefault();
          void remove.run();
        }}
      >
        <TextField label={t("publish.type_slug", { slug: problem.slug })} value={typed} change={type} maxLength={64} />
        {remove.error && <Failure of={remove.error} />}
        <p class="actions">
          <button type="submit" class="danger" disabled={remove.busy || typed !== problem.slug}>
            {t("publish.delete")}
          </button>
        </p>
      </form>
    </details>
  );
}
