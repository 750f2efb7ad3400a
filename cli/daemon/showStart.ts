import type { Io } from '../io/io.ts';
import { createLiveLine, type LiveLine } from '../print/liveLine.ts';
import type { DatabaseWait } from './startDaemon.ts';

const SLOW_MS = 2000;

type Ways = Pick<Io, 'err' | 'errIsTty' | 'columns'>;

/** Says on standard error what a start waits for. On a terminal, one line counts the seconds. */
export function showStart(
  io: Ways,
  { makesCluster, slowMs = SLOW_MS }: { makesCluster: () => boolean; slowMs?: number },
): { waits(wait: DatabaseWait): void; end(): void } {
  const { line, cancel, end } = whenSlow(
    io,
    ({ print }) => print(makesCluster() ? 'Still starting. The first start takes longer.' : 'Still starting.'),
    slowMs,
  );
  return {
    waits({ name, why, patienceMs }) {
      cancel();
      line.print(`${name} cannot be used yet: ${why}. devflow waits up to ${patienceMs / 1000} s.`);
      line.show((seconds) => `Waiting for the database… ${seconds}s`);
    },
    end,
  };
}

/** Says on standard error that the daemon is being started already, if that takes long. */
export function showOtherStart(
  io: Ways,
  { pid, logFile, patienceMs }: { pid: number; logFile: string; patienceMs: number },
): { end(): void } {
  return whenSlow(io, ({ print, show }) => {
    print(`devflow is already starting (keeper: pid ${pid}). Waiting for its daemon, up to ${patienceMs / 1000} s.`);
    print(`To see what the daemon waits for: ${logFile}. To end its start: devflow down.`);
    show((seconds) => `Waiting for the daemon… ${seconds}s`);
  });
}

function whenSlow(io: Ways, say: (line: LiveLine) => void, slowMs = SLOW_MS) {
  const line = createLiveLine({ out: io.err, outIsTty: io.errIsTty, columns: io.columns });
  const slow = setTimeout(() => say(line), slowMs);
  const cancel = () => clearTimeout(slow);
  const end = () => {
    cancel();
    line.end();
  };
  return { line, cancel, end };
}
