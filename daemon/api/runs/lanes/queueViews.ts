import type { Ejection } from '../../../../schemas/kinds/lanes/events.ts';
import type { QueueEntry } from '../../../../schemas/rpc/views/lanes.ts';
import { counted } from '../../../../schemas/text/phrases.ts';
import { decide } from '../../../core/decide.ts';
import type { Lane, Run } from '../../../core/run/state.ts';
import type { LanesPhase } from '../../../kinds/lanes/plan.ts';

/** The merge queue in its order, then the lanes that it sent back, then those that landed, newest first. */
export function queueViews(run: Run, phase: LanesPhase): QueueEntry[] {
  const { queue = [], landings = [] } = phase.dag ?? {};
  const inTest = queue.length > 0 ? lanesInTest(run) : [];
  const tested = queue.filter((laneId) => inTest.includes(laneId));
  const waiting = queue.filter((laneId) => !inTest.includes(laneId));
  const back = run.lanes.filter((lane) => lane.phaseId === phase.id && lane.state === 'open' && wasSentBack(lane));
  return [
    ...tested.map((laneId) => ({ laneId, place: 'testing' as const, reason: null })),
    ...waiting.map((laneId) => ({ laneId, place: 'waiting' as const, reason: null })),
    ...back.map(({ id, ejections }) => ({ laneId: id, place: 'sent_back' as const, reason: newestReason(ejections) })),
    ...landings.map(({ laneId }) => ({ laneId, place: 'landed' as const, reason: null })).reverse(),
  ];
}

/** The reason why the queue sent a lane back, in a sentence. */
export function ejectionSentence(ejection: Ejection): string {
  const { cause, paths, with: others, results, faults } = ejection;
  const checks = results.map(({ argv }) => argv.join(' ')).join(', ');
  switch (cause) {
    case 'conflict':
      if (faults.length > 0) return `Its resolution was refused: ${faults.join('; ')}`;
      return `It conflicts with what landed, in ${firstOf(paths)}`;
    case 'own':
      return `A check fails on this lane alone: ${checks}`;
    case 'interaction':
      return `A check fails only together with ${others.join(', ') || 'what landed'}: ${checks}`;
    case 'raced':
      return "Somebody else moved the run's branch";
    default:
      return cause satisfies never;
  }
}

const FIRST = 3;

function firstOf(paths: readonly string[]): string {
  const rest = paths.length - FIRST;
  return `${paths.slice(0, FIRST).join(', ')}${rest > 0 ? ` and ${counted(rest, 'more file')}` : ''}`;
}

function wasSentBack({ ejections }: Lane): boolean {
  return ejections.some(({ cause }) => cause !== 'raced');
}

function newestReason(ejections: readonly Ejection[]): string | null {
  const newest = ejections.findLast(({ cause }) => cause !== 'raced');
  return newest ? ejectionSentence(newest) : null;
}

/** The lanes of the merge that is tested or lands now. */
function lanesInTest(run: Run): string[] {
  return decide(run).flatMap((effect) => {
    if (effect.type === 'testMerge') return effect.lanes.map(({ laneId }) => laneId);
    return effect.type === 'landMerge' ? effect.lanes : [];
  });
}
