import type { Flow } from '../../../schemas/contracts/autodev/flows.ts';
import type { ReadPointer } from '../../../schemas/contracts/autodev/pointer.ts';
import type { StepState } from '../../../schemas/contracts/autodev/summary.ts';
import type { Io } from '../../io/io.ts';
import { type Cell, printTable } from '../output.ts';

/** A pointer as lines of names and values. */
export function pointerFacts(pointer: ReadPointer): [string, Cell][] {
  const { flow, step, name, status, sub_step: subStep, retry_count: retries, cycle } = pointer;
  const detail = subStep?.detail ? `: ${subStep.detail}` : '';
  return [
    ['flow', flow],
    ['step', `${step ?? '?'} ${name ?? '?'}`],
    ['status', status],
    ['phase', subStep && `${subStep.phase ?? '?'} ${subStep.name ?? '?'}${detail}`],
    ['failed retries', retries],
    ['cycle', cycle],
  ];
}

export function printSteps(io: Io, summary: readonly StepState[]): void {
  if (summary.length === 0) return;
  const columns = [
    { title: 'STEP', cell: ({ step }: StepState) => step, align: 'right' as const },
    { title: 'NAME', cell: ({ name }: StepState) => name },
    { title: 'STATE', cell: ({ state }: StepState) => state },
  ];
  printTable(io, summary, columns, '');
}

/** The steps of a flow, and what is special about each. */
export function printFlow(
  io: Io,
  { steps, optional, boundaries }: Pick<Flow, 'steps' | 'optional' | 'boundaries'>,
): void {
  const rows = steps.map((name, index) => {
    const step = index + 1;
    const notes = [
      ...(optional.includes(step) ? ['optional'] : []),
      ...(boundaries[step] ? ['the session ends here'] : []),
    ];
    return { step, name, notes: notes.join(', ') };
  });
  printTable(
    io,
    rows,
    [
      { title: 'STEP', cell: ({ step }) => step, align: 'right' },
      { title: 'NAME', cell: ({ name }) => name },
      { title: 'NOTES', cell: ({ notes }) => notes },
    ],
    'no steps',
  );
}
