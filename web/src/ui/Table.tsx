import type { ComponentChildren } from "preact";

export interface Column<T> {
  title: ComponentChildren;
  cell: (row: T) => ComponentChildren;
  /** Numbers are set to the right; what is "wide" goes first on a narrow screen. */
  kind?: "number" | "wide" | "narrow";
  /** The direction it is sorted by, when it is. */
  sorted?: "ascending" | "descending";
}

/** A table that scrolls sideways by itself when it must. `caption` is its name for those who do not see it. */
export function Table<T>({ caption, columns, rows, rowKey }: { caption: string; columns: readonly Column<T>[]; rows: readonly T[]; rowKey: (row: T) => string | number }) {
  return (
    <div class="table-frame" role="group" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" class={column.kind} aria-sort={column.sorted}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => (
                <td key={index} class={column.kind}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
