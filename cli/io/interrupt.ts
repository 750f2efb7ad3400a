/** An `AbortSignal` for Ctrl-C, SIGTERM and SIGHUP, which then do not end the process. */
export function onInterrupt(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, abort);
  return {
    signal: controller.signal,
    release: () => {
      for (const name of names) process.off(name, abort);
    },
  };
}

/** Resolves when `ended` does, or on Ctrl-C. */
export async function untilInterrupted(ended: Promise<void>): Promise<void> {
  const { signal, release } = onInterrupt();
  await Promise.race([ended, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
  release();
}

/** The exit code of a program that Ctrl-C ended. */
export const INTERRUPTED = 130;
