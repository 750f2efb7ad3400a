import type { Logger } from 'pino';

export interface Lifecycle {
  /** Lends a resource until the end. Released in reverse order of the calls. */
  hold(name: string, release: () => Promise<unknown> | unknown): void;
  /** Releases everything once; resolves when done. What does not end in time is named in the log and left. */
  end(): Promise<void>;
}

/** Each resource may take this long to let go. */
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
        if ((await Promise.race([(async () => release())(), late])) === 'late')
          log.warn({ name }, 'did not let go in time');
      } catch (err) {
        log.warn({ name, err }, 'could not be released');
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
