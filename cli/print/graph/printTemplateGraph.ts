import type { Until } from '../../../schemas/definitions/exchange.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import type { Io } from '../../io/io.ts';
import { printTable } from '../output.ts';

const UNTIL: Readonly<Record<Until, string>> = {
  'review-allows': 'the review allows it',
  'cycle-resolved': 'all tests pass',
  'objective-met': 'the objective is met',
};

/** The phases of a template from above to below, with their gates. A line at the left goes back to where a loop begins. */
export function printTemplateGraph(io: Io, { phases, iterate }: Pick<Template, 'phases' | 'iterate'>): void {
  const mark = marksOf(phases, iterate?.phases ?? []);
  printTable(
    io,
    phases.map((phase, at) => ({ ...phase, mark: mark[at] })),
    [
      { title: '', cell: (phase) => phase.mark },
      { title: 'PHASE', cell: ({ key, optional }) => (optional ? `${key}?` : key) },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'ROLES', cell: ({ roles }) => roles?.join(', '), spare: 1 },
      { title: 'GATES', cell: ({ gates }) => gates?.join(', ') },
      { title: 'TITLE', cell: ({ title }) => title, spare: 2 },
    ],
    'none',
  );
  if (!iterate) return;
  const limit = iterate.max === undefined ? '' : `, at most ${iterate.max} times before a person decides`;
  const whole = `${iterate.phases[0]} to ${iterate.phases.at(-1)}`;
  const what = iterate.phases.length === 1 ? `${iterate.phases[0]} begins` : `${whole} begin`;
  io.out(`\n${what} again until ${UNTIL[iterate.until]}${limit}.\n`);
}

/** The beginning of each row. A gate is a diamond, because a person decides there. */
function marksOf(phases: Template['phases'], looped: readonly string[]): string[] {
  return phases.map(({ key, gates = [] }) => {
    const at = looped.indexOf(key);
    const isLast = at === looped.length - 1;
    const back = at < 0 ? '  ' : looped.length === 1 ? '↺ ' : at === 0 ? '┌▶' : isLast ? '└─' : '│ ';
    return `${back}${gates.length > 0 ? '◆' : '○'}`;
  });
}
