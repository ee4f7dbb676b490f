import type { ComponentChildren } from "preact";
import type { Asked } from "../use";
import { Failure } from "./Failure";
import { Loading } from "./Loading";

/** What was asked for, as soon as it is here; an older answer stays under the reason why there is no newer one. */
export function Answered<T>({ of, children }: { of: Asked<T>; children: (data: T) => ComponentChildren }) {
  return (
    <>
      {of.error && <Failure of={of.error} retry={of.reload} />}
      {of.data !== null ? children(of.data) : !of.error && <Loading />}
    </>
  );
}
