import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printLanesPhase } from '../print/lanes.ts';
import { printHeading, printJson } from '../print/output.ts';
import { shortId, visible } from '../print/text.ts';

export const action: Action = async ([runId]: [string], { json }: { json?: boolean }, io) => {
  const answer = await withDaemon(io, (client) => client.call('run.lanes', { runId }));
  if (json) {
    printJson(io, answer);
    return 0;
  }
  const { phases } = answer;
  if (phases.length === 0) io.err(`Run ${shortId(answer.runId)} has no phase with parallel work.\n`);
  for (const phase of phases) {
    if (phases.length > 1) printHeading(io, `${phase.phaseKey}: ${phase.title}`);
    if (phase.planned) printLanesPhase(io, phase);
    else io.out(`Phase ${visible(phase.phaseKey)} has no plan yet.\n`);
  }
  return 0;
};
