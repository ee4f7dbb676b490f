import { call } from "./api/call";
import type { PackageFormat } from "./api/schema";

function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Fetch the package of a problem, and leave it where the browser keeps what is downloaded. */
export async function savePackage(problem: string, name: string, query: { format?: PackageFormat; revision?: number }): Promise<void> {
  save(await call("GET /api/problems/{problem}/export", { path: { problem }, query }), `${name}.zip`);
}
