import { withDaemon } from '../daemon/withDaemon.ts';
import type { OwnOf } from '../define/command.ts';
import type { CLEANUP, Cleanup } from '../define/run.ts';
import { usage } from '../input/parse.ts';
import { printJson } from '../print/output.ts';
import { howToDecide } from '../print/run/approval.ts';
import { visible } from '../print/text.ts';
import { cleanUpEnded } from './cleanupEnded.ts';

/** Options that mean nothing for one run. `--yes` means nothing there, too, but does no harm. */
const OF_ENDED = { olderThan: '--older-than', applied: '--applied', branches: '--branches', repo: '--repo' } as const;
const OF_PLAN = { host: '--host', dryRun: '--dry-run' } as const;

export const action: Cleanup = async (params, own, io) => {
  const { json, run } = own;
  if (own.ended) return cleanUpEnded(refuseOne(params, own), io);
  const stray = Object.entries({ ...OF_ENDED, ...OF_PLAN }).find(([key]) => own[key as keyof typeof own] !== undefined);
  if (stray) throw usage(`${stray[1]} needs --ended`);
  if (run === undefined) throw usage('name a run, or give --ended', 'See devflow run list for the runs.');
  const result = await withDaemon(io, (client) => client.call('run.cleanup', { ...params, runId: run }));
  const { removed, gone, keptRefs = [], kept } = result;
  if (json) printJson(io, result);
  else {
    for (const { path, branch } of removed) {
      io.out(`removed ${visible(path)}${branch ? `; its branch ${visible(branch)} stays` : ''}\n`);
    }
    for (const ref of keptRefs) io.out(`kept commits that no branch has: ${visible(ref)}\n`);
    for (const { path } of gone) io.out(`${visible(path)} was removed already\n`);
    for (const { path, reason } of kept) io.out(`kept ${visible(path)}: ${visible(reason)}\n`);
    const gates = kept.flatMap(({ approvalId }) => approvalId ?? []);
    if (gates.length > 0) io.out('Uncommitted work would be lost, so decide first.\n');
    for (const id of gates) io.out(howToDecide(id, ['approve', 'reject']));
  }
  return kept.some(({ approvalId }) => approvalId === null) ? 1 : 0;
};

function refuseOne<O extends OwnOf<typeof CLEANUP>>(params: { lane?: string; force?: boolean }, own: O): O {
  if (own.run !== undefined) throw usage('--ended takes no run', 'Narrow it with --repo or --older-than.');
  if (params.lane !== undefined) throw usage('--lane and --ended cannot be used together');
  if (params.force) throw usage('--force and --ended cannot be used together', 'Clean up that run alone.');
  return own;
}
