import type { Logger } from 'pino';
import { handlerFault, toErrorRecord } from '../../schemas/errors/errorRecord.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { keptExitOf } from '../../schemas/keeper/keptExit.ts';

export interface Lifecycle {
  /** Keeps a resource until the end. Resources are released in reverse order. Each may take 5 s, or `patienceMs`. */
  hold(name: string, release: () => Promise<unknown> | unknown, patienceMs?: number): void;
  /** Releases everything once; resolves when done. A resource that takes too long is logged and skipped. */
  end(): Promise<void>;
}

const RELEASE_MS = 5_000;

export function createLifecycle(log: Pick<Logger, 'warn'>): Lifecycle {
  const held: { name: string; release: () => Promise<unknown> | unknown; patienceMs: number }[] = [];
  let ending: Promise<void> | undefined;

  async function releaseAll(): Promise<void> {
    for (const { name, release, patienceMs } of held.reverse()) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), patienceMs);
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
    hold: (name, release, patienceMs = RELEASE_MS) => held.push({ name, release, patienceMs }),
    end() {
      ending ??= releaseAll();
      return ending;
    },
  };
}

/** With what code a daemon ends. For its keeper, errors of the driver and of the system tell as much as devflow's own. */
export function exitCodeOf(error: unknown, { kept }: { kept: boolean }): number {
  const own = error instanceof DevflowError ? error : undefined;
  const code = own?.code ?? (handlerFault(error) ?? toErrorRecord(error)).code;
  return (kept ? keptExitOf(code) : undefined) ?? own?.exitCode ?? 2;
}
