/**
 * What must be ended when a person ends the benchmark with Ctrl-C: then no `finally` runs, and daemons, tmux servers and
 * agents would stay.
 */
const endings = new Set<() => Promise<void>>();

/** Returns how to say that it was ended in the ordinary way. */
export function endAtSignal(end: () => Promise<void>): () => void {
  endings.add(end);
  return () => endings.delete(end);
}

export function listenForSignals(): void {
  let ending = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, async () => {
      // Pressed again: it takes some seconds.
      if (ending) return;
      ending = true;
      // The rows go on meanwhile and fail, for what they talk to goes away.
      process.on('unhandledRejection', () => {});
      process.on('uncaughtException', () => {});
      await Promise.allSettled([...endings].map((end) => end()));
      process.exit(signal === 'SIGINT' ? 130 : 143);
    });
  }
}
