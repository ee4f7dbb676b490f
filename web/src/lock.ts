import { recall, remember } from "./store";
import { randomId } from "./random";

const LEASE_MS = 8000;

interface Lease {
  owner: string;
  until: number;
}

/**
 * Do something while no other tab of this browser does it. Web Locks exist only where the address is
 * https or localhost; elsewhere, as in a contest's own network, a lease in the local store stands in.
 */
export async function alone<T>(name: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  if (navigator.locks) return navigator.locks.request(`deepoj-${name}`, signal ? { signal } : {}, work) as Promise<T>;
  const owner = randomId();
  const key = `lease.${name}`;
  const held = (): boolean => recall<Lease | null>(key, null)?.owner === owner;
  const extend = (): boolean => remember(key, { owner, until: Date.now() + LEASE_MS });
  for (;;) {
    signal?.throwIfAborted();
    const lease = recall<Lease | null>(key, null);
    if (!lease || lease.until < Date.now()) {
      extend();
      await pause(40 + Math.random() * 40);
      if (held()) break;
    } else await pause(250);
  }
  const beat = setInterval(extend, LEASE_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (held()) remember(key, null);
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));
