import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The facts that decide, and the collection. Tests pass their own. */
export interface Collector {
  /** Processor time so far, in milliseconds. */
  cpuMs(): number;
  /** Memory that the process holds, in bytes. */
  heldBytes(): number;
  collect(): void;
}

const EVERY_MS = 5_000;
/** Less work than this in such a time is only the heartbeat and quiet clients. */
const QUIET_CPU_MS = 250;
/** A collection takes some 100 ms, so it must be worth it. */
const WORTH_BYTES = 8_000_000;

/**
 * Collects garbage once the daemon has been quiet for a while after work. V8 collects when it needs memory; a daemon that has
 * nothing to do would keep what its last burst left. Returns how to stop it.
 */
export function collectWhenQuiet(collector: Collector = v8Collector(), everyMs = EVERY_MS): () => void {
  const look = lookAt(collector);
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

/** One look, to be repeated at regular intervals. */
export function lookAt({ cpuMs, heldBytes, collect }: Collector): () => void {
  let usedBefore = cpuMs();
  let heldAfter = 0;
  return () => {
    const used = cpuMs();
    const isQuiet = used - usedBefore < QUIET_CPU_MS;
    usedBefore = used;
    if (!isQuiet || heldBytes() - heldAfter < WORTH_BYTES) return;
    collect();
    usedBefore = cpuMs();
    heldAfter = heldBytes();
  };
}

function v8Collector(): Collector {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as (options: object) => void;
  setFlagsFromString('--no-expose-gc');
  return {
    cpuMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    heldBytes() {
      const { total_heap_size, external_memory } = getHeapStatistics();
      return total_heap_size + external_memory;
    },
    collect() {
      // Without this flavor V8 keeps the pages that it has freed: 64 MB instead of 30 in a trial.
      collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    },
  };
}
