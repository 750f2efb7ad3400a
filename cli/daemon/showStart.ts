import type { Io } from '../io/io.ts';
import { createLiveLine } from '../print/liveLine.ts';
import type { DatabaseWait } from './startDaemon.ts';

const SLOW_MS = 2000;

/** Says on standard error what a start waits for. On a terminal, one line counts the seconds. */
export function showStart(io: Pick<Io, 'err' | 'errIsTty' | 'columns'>): {
  waits(wait: DatabaseWait): void;
  end(): void;
} {
  const line = createLiveLine({ out: io.err, outIsTty: io.errIsTty, columns: io.columns });
  const slow = setTimeout(() => line.print('Still starting. The first start takes longer.'), SLOW_MS);
  return {
    waits({ name, why, patienceMs }) {
      clearTimeout(slow);
      const sentence = `${name} cannot be used yet: ${why}. devflow waits up to ${patienceMs / 1000} s.`;
      line.print(sentence);
      line.show((seconds) => `Waiting for the database… ${seconds}s`);
    },
    end() {
      clearTimeout(slow);
      line.end();
    },
  };
}

/** Says on standard error that the daemon is being started already, if that takes long. */
export function showOtherStart(
  io: Pick<Io, 'err' | 'errIsTty' | 'columns'>,
  { pid, logFile, patienceMs }: { pid: number; logFile: string; patienceMs: number },
): { end(): void } {
  const line = createLiveLine({ out: io.err, outIsTty: io.errIsTty, columns: io.columns });
  const slow = setTimeout(() => {
    line.print(
      `devflow is already starting (keeper: pid ${pid}). Waiting for its daemon, up to ${patienceMs / 1000} s.`,
    );
    line.print(`To see what the daemon waits for: ${logFile}. To end its start: devflow down.`);
    line.show((seconds) => `Waiting for the daemon… ${seconds}s`);
  }, SLOW_MS);
  return {
    end() {
      clearTimeout(slow);
      line.end();
    },
  };
}
