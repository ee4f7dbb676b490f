import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A part that is loaded when it is first needed. */
export function Lazy({ when, load }: { when: boolean; load: () => Promise<{ default: ComponentType }> }) {
  const [Part, show] = useState<{ of: ComponentType } | null>(null);
  useEffect(() => {
    if (when && !Part) load().then((module) => show({ of: module.default }), () => undefined);
  }, [when]);
  return Part ? <Part.of /> : null;
}
