import { cutTo } from '../../../schemas/text/phrases.ts';
import { namesOtherTasks } from '../../core/run/behaviour.ts';
import type { Run } from '../../core/run/state.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { mergeChecks } from './queueOf.ts';
import type { Task } from './state.ts';

/** The most that a prompt says about other tasks. */
const MOST_TASKS = 30;
const MOST_CHARACTERS = 200;

/** A task of the plan, as the prompt of its agent says it. Only facts of the plan, so that the text stays the same. */
export function taskText(run: Run, phase: LanesPhase, task: Task): string {
  const { id, title, description, requirements, writeSet, dependsOn, checks } = task;
  const list = (words: string[]) => (words.length > 0 ? words.join(', ') : 'none');
  return [
    `${id}: ${title}`,
    description,
    `Requirements: ${list(requirements)}`,
    `Files that you may change: ${list(writeSet)}`,
    `Builds on the tasks: ${list(dependsOn)}`,
    `Checks that must pass: ${list(checks.map(({ argv }) => argv.join(' ')))}`,
    ...(namesOtherTasks(run) ? [...mergeCheckLines(run, phase), ...otherTasks(phase, task)] : []),
  ].join('\n');
}

/** The checks that the merge queue runs; no line if there are none. */
export function mergeCheckLines(run: Run, phase: LanesPhase): string[] {
  const { commands } = mergeChecks(run, phase);
  const texts = commands.map(({ argv }) => argv.join(' '));
  return texts.length === 0 ? [] : [`Checks of every merge, which must pass with your work: ${texts.join('; ')}`];
}

function otherTasks(phase: LanesPhase, task: Task): string[] {
  const others = dagOf(phase).tasks.filter(({ id }) => id !== task.id);
  if (others.length === 0) return [];
  const more = others.length - MOST_TASKS;
  return [
    'Other tasks and their files. Leave these files alone, unless you may change them too:',
    ...others
      .slice(0, MOST_TASKS)
      .map(({ id, title, writeSet }) => `- ${id} ${title}: ${cutTo(writeSet.join(', '), MOST_CHARACTERS)}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}
