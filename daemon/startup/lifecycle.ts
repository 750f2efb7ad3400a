import type { Logger } from 'pino';

export interface Lifecycle {
  /** Keeps a resource until the end. Resources are released in reverse order. */
  hold(name: string, release: () => Promise<unknown> | unknown): void;
  /** Releases everything once; resolves when done. A resource that takes too long is logged and skipped. */
  end(): Promise<void>;
}

/** Each resource may take this long to release. */
const RELEASE_MS = 5_000;

export function createLifecycle(log: Pick<Logger, 'warn'>): Lifecycle {
  const held: { name: string; release: () => Promise<unknown> | unknown }[] = [];
  let ending: Promise<void> | undefined;

  async function releaseAll(): Promise<void> {
    for (const { name, release } of held.reverse()) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), RELEASE_MS);
      });
      try {
        if ((await Promise.race([(async () => release())(), late])) === 'late') log.warn({ name }, 'release timed out');
      } catch (err) {
        log.warn({ name, err }, 'release failed');
      } finally {
        clearTimeout(timer);
      }
    }
  }

  return {
    hold: (name, release) => held.push({ name, release }),
    end() {
      ending ??= releaseAll();
      return ending;
    },
  };
}
