import type { Logger } from 'pino';
import { keepFiles, textAt } from '../../contracts/exchange/keepFiles.ts';
import type { Run } from '../../core/run/state.ts';
import { isDirectory } from '../../repository/git/repositoryFiles.ts';
import type { Faults } from '../../system/faults.ts';

/** Writes the files of an exchange in the order of the events, after each commit and when the daemon starts. */
export interface ExchangeFiles {
  /** Never rejects: the events are the truth, and the next call writes again. */
  write(run: Run): Promise<void>;
  /** The same, and looks also at files that it wrote before: somebody may have changed them. */
  restore(run: Run): Promise<void>;
}

export function createExchangeFiles(ports: { faults: Faults; log: Pick<Logger, 'warn'> }): ExchangeFiles {
  const { faults, log } = ports;
  /** The texts that were written last, or found as they should be. */
  let written: Readonly<Record<string, string>> = {};

  async function write(run: Run): Promise<void> {
    const { files = {} } = run.exchange ?? {};
    const due = Object.entries(files).filter(([path, text]) => written[path] !== text);
    if (due.length === 0 || !(await isDirectory(run.worktreeRoot))) return;
    faults.at('exchangeFiles.before_write');
    const inTheWay = await keepFiles({ ...run, worktree: run.worktreeRoot }, Object.fromEntries(due));
    for (const [path, err] of inTheWay) log.warn({ runId: run.id, path, err }, 'cannot write a file of the exchange');
    written = { ...written, ...Object.fromEntries(due.filter(([path]) => !inTheWay.has(path))) };
    faults.at('exchangeFiles.after_write');
  }

  const self: ExchangeFiles = {
    async write(run) {
      try {
        await write(run);
      } catch (err) {
        log.warn({ runId: run.id, err }, 'cannot write the files of the exchange');
      }
    },
    async restore(run) {
      written = {};
      await self.write(run);
    },
  };
  return self;
}

/** The files of the exchange that are not as the events say, as far as there is a worktree. */
export async function findChangedFiles(run: Run): Promise<{ path: string; is: string | null }[]> {
  const files = Object.entries(run.exchange?.files ?? {});
  if (files.length === 0 || !(await isDirectory(run.worktreeRoot))) return [];
  return files.flatMap(([path, text]) => {
    const is = textAt(run.worktreeRoot, path) ?? null;
    return is === text ? [] : [{ path, is }];
  });
}
