import { defined } from '../../schemas/defined.ts';
import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { EndOfRun, Leftover } from '../../schemas/rpc/views/ends.ts';
import { agreedTo, ENDS_AT_ONCE, endsSummary, IGNORED_FILES_GO } from '../../schemas/states/endsNote.ts';
import { sizeOf } from '../../schemas/states/setup.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { OwnOf } from '../define/command.ts';
import type { CLEANUP } from '../define/run.ts';
import { confirm, DECLINED } from '../input/confirm.ts';
import type { Io } from '../io/io.ts';
import { printJson } from '../print/output.ts';
import { shortId, tildePath, visible } from '../print/text.ts';

type Result = RpcResult<'run.cleanupEnded'>;

/** The exit code after a removal that went wrong. */
const FAILED = 1;

export async function cleanUpEnded(own: OwnOf<typeof CLEANUP>, io: Io): Promise<number> {
  const { olderThan: olderThanMs, applied, branches, repo, host, dryRun, yes, json } = own;
  const wish = defined({ olderThanMs, applied, branches, repo, host });
  return withDaemon(io, async (client) => {
    const plan = await client.call('run.cleanupEnded', { ...wish, dryRun: true });
    const going = plan.runs.filter(({ goes }) => goes.length > 0);
    if (dryRun || going.length === 0) {
      if (json) printJson(io, plan);
      else printPlan(io, plan);
      return 0;
    }
    if (!yes) {
      printPlan({ ...io, out: io.err }, plan);
      const agrees = await confirm(io, `Remove ${endsSummary(going)}? ${IGNORED_FILES_GO}`, {
        message: `This removes ${endsSummary(going)}, and there is no terminal to ask on.`,
        hint: 'See what would go with --dry-run, or confirm with --yes.',
      });
      if (!agrees) return DECLINED;
    }
    const done: EndOfRun[] = [];
    try {
      for (let at = 0; at < going.length; at += ENDS_AT_ONCE) {
        const agreed = agreedTo(going.slice(at, at + ENDS_AT_ONCE));
        const { runs } = await client.call('run.cleanupEnded', { ...wish, agreed });
        if (!json) printDone(io, runs);
        done.push(...runs);
      }
    } catch (error) {
      // What is gone is said, whatever stops the rest.
      if (json && done.length > 0) printJson(io, { runs: done, done: false } satisfies Result);
      throw error;
    }
    const untouched = plan.runs.filter(({ goes }) => goes.length === 0);
    if (json) printJson(io, { runs: [...done, ...untouched], done: true } satisfies Result);
    else printKept(io, untouched);
    return done.some(({ kept }) => kept.some(({ why }) => why === 'failed')) ? FAILED : 0;
  });
}

function printPlan(io: Io, { runs }: Result): void {
  const going = runs.filter(({ goes }) => goes.length > 0);
  if (going.length === 0) io.out('No ended run left anything that can go.\n');
  for (const run of going) {
    io.out(`${headOf(run)}\n`);
    for (const item of run.goes) io.out(`  ${nameOf(io, item)}${sizeNote(item)}\n`);
  }
  if (going.length > 0) io.out(`Goes: ${endsSummary(going)}.\n`);
  printKept(io, runs);
}

function printDone(io: Io, runs: readonly EndOfRun[]): void {
  for (const { goes, keptRefs = [] } of runs) {
    for (const item of goes) io.out(`removed ${nameOf(io, item)}\n`);
    for (const ref of keptRefs) io.out(`kept commits that no branch has: ${visible(ref)}\n`);
  }
  printKept(io, runs);
}

function printKept(io: Io, runs: readonly EndOfRun[]): void {
  for (const run of runs) {
    for (const item of run.kept) {
      io.out(`kept ${nameOf(io, item)}: ${visible(item.reason)} (${headOf(run)})\n`);
    }
  }
}

function headOf({ runId, title }: EndOfRun): string {
  return `${shortId(runId)} ${visible(title)}`;
}

function nameOf(io: Io, { what, path, branch }: Leftover): string {
  return `${what} ${visible(what === 'worktree' ? tildePath(path ?? '', io.env) : (branch ?? ''))}`;
}

function sizeNote({ bytes }: Leftover): string {
  return bytes === null ? '' : `, ${sizeOf(bytes)}`;
}
