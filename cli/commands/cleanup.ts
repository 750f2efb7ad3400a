import { withDaemon } from '../daemon/withDaemon.ts';
import type { Cleanup } from '../define/run.ts';
import { printJson } from '../print/output.ts';
import { howToDecide } from '../print/run/approval.ts';
import { visible } from '../print/text.ts';

export const action: Cleanup = async (params, { json }, io) => {
  const result = await withDaemon(io, (client) => client.call('run.cleanup', params));
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
