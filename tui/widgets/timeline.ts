import type { PhaseView } from '../../schemas/rpc/views/run.ts';
import { elapsed, elapsedChangesAt } from '../text/elapsed.ts';
import { fitWidth, type Line, line, span } from '../text/line.ts';
import { phaseSign, phaseWord } from '../text/runWords.ts';
import { theme } from '../text/theme.ts';
import { earliest } from '../text/time.ts';

type Shown = Pick<PhaseView, 'key' | 'title' | 'state' | 'waits' | 'attempts' | 'startedAt' | 'endedAt'>;

const BAR_FROM_COLUMNS = 110;
const BAR = 32;

/** One phase of a run. If it fits, a bar shows its start and length compared with the other phases. */
export function timelineRow(phase: Shown, all: readonly Shown[], now: number, columns: number): Line {
  const keys = Math.min(24, Math.max(8, ...all.map(({ key }) => key.length)));
  const isAhead = phase.startedAt === null;
  const bar = columns < BAR_FROM_COLUMNS ? [] : [...barOf(phase, all, now), span('  ')];
  return line(
    ...fitWidth(line(span(phase.key, isAhead ? theme.muted : undefined)), keys + 2),
    ...fitWidth(phaseWord(phase.state, phase.waits), 13),
    ...fitWidth(line(elapsed(phase.startedAt, phase.endedAt, now)), 9),
    ...fitWidth(line(phase.attempts > 1 ? span(`${phase.attempts} attempts`, theme.warn) : undefined), 12),
    ...bar,
    span(phase.title === phase.key ? '' : phase.title, theme.muted),
  );
}

/** When the shown durations next change. */
export function phasesChangeAt(phases: readonly Shown[], now: number): number | undefined {
  return earliest(phases.map(({ startedAt, endedAt }) => elapsedChangesAt(startedAt, endedAt, now)));
}

function barOf(phase: Shown, all: readonly Shown[], now: number): Line {
  const { startedAt, endedAt } = phase;
  const begins = all.flatMap((each) => (each.startedAt === null ? [] : [Date.parse(each.startedAt)]));
  const isOpen = all.some((each) => each.startedAt !== null && each.endedAt === null);
  const ends = all.flatMap((each) => (each.endedAt === null ? [] : [Date.parse(each.endedAt)]));
  const first = Math.min(...begins);
  const whole = Math.max(1, (isOpen ? now : Math.max(...ends)) - first);
  if (startedAt === null) return fitWidth(line(), BAR);
  const cell = (at: number) => Math.max(0, Math.min(BAR - 1, Math.floor(((at - first) / whole) * BAR)));
  const from = cell(Date.parse(startedAt));
  const to = endedAt === null ? BAR - 1 : Math.max(from, cell(Date.parse(endedAt) - 1));
  return fitWidth(
    line(' '.repeat(from), span('─'.repeat(to - from + 1), phaseSign(phase.state, phase.waits).style)),
    BAR,
  );
}
