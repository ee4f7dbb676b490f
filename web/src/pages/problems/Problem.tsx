import type { PageProps } from "../../router";
import { Solving } from "../../solve/Solving";
import { Failure } from "../../ui/Failure";
import { Loading } from "../../ui/Loading";
import { useCall } from "../../use";

export default function Problem({ params }: PageProps) {
  const slug = params["slug"] ?? "";
  const problem = useCall("GET /api/problems/{problem}", { path: { problem: slug } });
  if (problem.error && !problem.data) {
    return (
      <div class="page">
        <Failure of={problem.error} retry={problem.reload} />
      </div>
    );
  }
  if (!problem.data) return <Loading />;
  return <Solving problem={problem.data} />;
}
