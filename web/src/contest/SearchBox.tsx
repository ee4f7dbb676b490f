import { useEffect, useState } from "preact/hooks";
import { place, setQuery } from "../router";

/** A search whose words are in the address. */
export function SearchBox({ label, name = "search" }: { label: string; name?: string }) {
  const [typed, type] = useState(place.peek().query.get(name) ?? "");
  useEffect(() => {
    const later = setTimeout(() => typed !== (place.peek().query.get(name) ?? "") && setQuery({ [name]: typed || null, cursor: null }), 250);
    return () => clearTimeout(later);
  }, [typed]);
  return (
    <label class="grow">
      <span class="visually-hidden">{label}</span>
      <input type="search" value={typed} maxLength={100} placeholder={label} onInput={(event) => type(event.currentTarget.value)} />
    </label>
  );
}
