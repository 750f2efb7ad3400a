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
