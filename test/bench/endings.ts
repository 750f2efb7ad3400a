/** Ends daemons, tmux servers and agents if a person stops the benchmark with Ctrl-C. Then no `finally` runs. */
const endings = new Set<() => Promise<void>>();

/** Returns a function that removes the entry after a normal end. */
export function endAtSignal(end: () => Promise<void>): () => void {
  endings.add(end);
  return () => endings.delete(end);
}

export function listenForSignals(): void {
  let ending = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      // A second Ctrl-C: ending takes some seconds.
      if (ending) return;
      ending = true;
      // The rows continue meanwhile and fail, because their daemons and servers end.
      process.on('unhandledRejection', () => {});
      process.on('uncaughtException', () => {});
      await Promise.allSettled([...endings].map((end) => end()));
      process.exit(signal === 'SIGINT' ? 130 : 143);
    });
  }
}
