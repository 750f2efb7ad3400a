import { calls } from '../daemon/calls.ts';
import type { Run } from '../define/run.ts';
import { printLanesPhase } from '../print/lanes.ts';
import { printHeading } from '../print/output.ts';
import { shortId, visible } from '../print/text.ts';

export const action: Run['lanes'] = calls('run.lanes', (io, { runId, phases }) => {
  if (phases.length === 0) io.err(`Run ${shortId(runId)} has no phase with parallel work.\n`);
  for (const phase of phases) {
    if (phases.length > 1) printHeading(io, `${phase.phaseKey}: ${phase.title}`);
    if (phase.planned) printLanesPhase(io, phase);
    else io.out(`Phase ${visible(phase.phaseKey)} has no plan yet.\n`);
  }
});
