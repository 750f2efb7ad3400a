import type { CheckResult, Ejection } from '../../../schemas/kinds/lanes/events.ts';
import { laneGates } from '../../core/gates/laneGates.ts';
import { namesOtherTasks } from '../../core/run/behaviour.ts';
import { laneOf } from '../../core/run/lanes.ts';
import type { Assignment, Lane, Run } from '../../core/run/state.ts';
import { conflictSides } from './conflictSides.ts';
import { tasksOf, writeSetOf } from './lane.ts';
import type { LanesPhase } from './plan.ts';
import { quoted } from './quoted.ts';
import { mergeCheckLines } from './taskText.ts';
import type { Trouble } from './troubles.ts';

/** The prompt for a repair in a lane. */
export function troubleText(run: Run, phase: LanesPhase, lane: Lane, trouble: Trouble, { onto }: Assignment): string {
  const asked = laneGates(run, phase, lane.id).findLast(({ decision }) => decision !== null)?.decision?.comment;
  const wish = lane.reopens.at(-1)?.comment;
  const comment = [
    ...(asked ? [`A person said: ${asked}`] : []),
    ...(wish ? [`A person takes this work up again: ${wish}`] : []),
  ];
  switch (trouble.kind) {
    case 'checks': {
      const failed = trouble.commands.map((command) => checkLine(run, { ...command, reason: command.reason ?? '' }));
      return ['These checks failed in your worktree:', ...failed, ...boundsOf(run, phase, lane), ...comment].join('\n');
    }
    case 'rejected': {
      const { cause, with: others, results } = trouble.ejection;
      const why =
        cause === 'own'
          ? 'These checks fail with your work alone:'
          : `These checks pass with your work alone, and fail together with ${nameLanes(run, phase, others)}. That work has landed, and it is in your worktree now:`;
      return [why, ...results.map((result) => checkLine(run, result)), ...boundsOf(run, phase, lane), ...comment].join(
        '\n',
      );
    }
    case 'conflict':
      return [...conflictLines(run, phase, lane, trouble.ejection, onto), ...comment].join('\n');
    case 'comment': {
      const { paths = [] } = trouble.gate.subject as { paths?: string[] };
      const why = `You changed files that your tasks do not name, and other work may change them too: ${paths.join(', ')}.`;
      return [
        why,
        trouble.gate.decision?.comment ?? 'Undo these changes.',
        `You may change: ${writeSetOf(run, phase, lane).join(', ')}`,
        ...(namesOtherTasks(run) ? mergeCheckLines(run, phase) : []),
      ].join('\n');
    }
    case 'reopened': {
      const { results = [] } = trouble.last ?? {};
      const failed = results.map((result) => checkLine(run, result));
      return [
        'A person takes your work up again, which was rejected before.',
        ...(failed.length > 0 ? ['These checks failed last:', ...failed] : []),
        ...boundsOf(run, phase, lane),
        ...comment,
      ].join('\n');
    }
    default:
      return trouble satisfies never;
  }
}

/** The limits of a repair. */
function boundsOf(run: Run, phase: LanesPhase, lane: Lane): string[] {
  if (!namesOtherTasks(run)) return [];
  return [...mergeCheckLines(run, phase), `Your files: ${writeSetOf(run, phase, lane).join(', ')}`];
}

function conflictLines(
  run: Run,
  phase: LanesPhase,
  lane: Lane,
  { paths, faults }: Ejection,
  onto: string | null,
): string[] {
  const files = `Conflicting files: ${paths.join(', ')}`;
  const refused = faults.map((fault) => `- ${fault}`);
  if (!namesOtherTasks(run)) {
    return [files, ...(refused.length > 0 ? ['An earlier resolution was refused:', ...refused] : [])];
  }
  const { ours, theirs } = conflictSides(run, phase, lane, { onto: onto ?? '', paths });
  return [
    files,
    'Your tasks:',
    ours,
    'The tasks whose work landed in these files:',
    theirs,
    ...(refused.length > 0 ? [REFUSED, ...refused] : []),
  ];
}

const REFUSED =
  'An earlier resolution was refused, for the reasons below. devflow has put the files and the branch back: the conflict markers are there again, and nothing must be undone.';

/** The end of the output stands in the prompt, because the agent may not read its files. Older events have no such end. */
function checkLine(run: Run, { argv, reason, stdoutPath, stderrPath, tail }: Omit<CheckResult, 'exitCode'>): string {
  const check = `- ${argv.join(' ')}: ${reason}.`;
  if (tail === undefined) return namesOtherTasks(run) ? check : `${check} Output: ${stdoutPath} and ${stderrPath}`;
  if (tail === '') return `${check} It printed nothing.`;
  return [`${check} The end of its output:`, ...quoted(tail)].join('\n');
}

function nameLanes(run: Run, phase: LanesPhase, laneIds: readonly string[]): string {
  const named = laneIds.map((id) => {
    const tasks = tasksOf(phase, laneOf(run, id)).map((task) => `${task.id} ${task.title}`);
    return `${id} (${tasks.join('; ')})`;
  });
  return named.length > 0 ? named.join(', ') : 'work of others';
}
