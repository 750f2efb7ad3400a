import type { CheckResult } from '../../../../schemas/events/lanes.ts';
import type { Request } from '../assignment/request.ts';
import { laneOf } from '../run/lanes.ts';
import { definitionOf, expectedArtifactOf } from '../run/query.ts';
import type { Assignment, Lane, Phase, Run, Task } from '../run/state.ts';
import { tasksOf, writeSetOf } from './lane.ts';
import { conflictPath } from './laneEffects.ts';
import { laneGates } from './laneGates.ts';
import { dagOf } from './plan.ts';
import { type Trouble, troubleNamed } from './troubles.ts';

/** What an assignment in a lane is asked for: a task of the plan, or a repair. */
export function laneRequest(run: Run, phase: Phase, assignment: Assignment): Request {
  const { instructions = '' } = definitionOf(run, phase);
  const expected = expectedArtifactOf(run, phase);
  const task = dagOf(phase).tasks.find(({ id }) => id === assignment.key);
  if (task) return { instructions, ...expected, values: { task: taskText(task) } };
  const lane = laneOf(run, assignment.laneId);
  const trouble = troubleNamed(run, phase, lane, assignment.because ?? '');
  if (trouble.kind !== 'conflict') {
    return { instructions: REPAIR, ...expected, values: { trouble: troubleText(run, phase, lane, trouble) } };
  }
  const values = { conflict: conflictPath(phase, lane), trouble: troubleText(run, phase, lane, trouble) };
  return { instructions: RESOLVE, file: 'conflict-resolution.json', schema: 'dev/conflict-resolution@1', values };
}

function taskText({ id, title, description, requirements, writeSet, dependsOn, checks }: Task): string {
  const list = (words: string[]) => (words.length > 0 ? words.join(', ') : 'none');
  return [
    `${id}: ${title}`,
    description,
    `Requirements: ${list(requirements)}`,
    `Files that you may change: ${list(writeSet)}`,
    `Builds on the tasks: ${list(dependsOn)}`,
    `Checks that must pass: ${list(checks.map(({ argv }) => argv.join(' ')))}`,
  ].join('\n');
}

const REPAIR = `Your work in {{worktree}} cannot land yet.

{{trouble}}

Mend it in this directory. Keep to the files that your tasks name. Do not commit, do not switch branches, do not push:
devflow commits your changes. When it is mended, write the artifact again, as for the task.`;

const RESOLVE = `Your work in {{worktree}} conflicts with work that landed before it. devflow has merged both into this directory; the
conflicting parts have conflict markers. The file {{conflict}} shows both sides of each.

{{trouble}}

Resolve every conflict so that both changes keep their effect.
- Change only the conflicting files, and in them only what the conflict needs. Remove all conflict markers.
- Keep the tests of both sides.
- Do not commit, do not abort the merge, do not switch branches: devflow makes the commit.

Then write the artifact. It is one JSON object with the field hunks: a list of {"path": "...", "decision": "combined" | "ours" |
"theirs" | "rewritten", "dropped": [{"side": "ours" | "theirs", "text": "..."}], "reason": "..."}, at least one for each
conflicting file. ours is your work, theirs is what landed. dropped has every line of either side that is gone.`;

function troubleText(run: Run, phase: Phase, lane: Lane, trouble: Trouble): string {
  const asked = laneGates(run, phase, lane.id).findLast(({ decision }) => decision !== null)?.decision?.comment;
  const comment = asked ? [`A person said: ${asked}`] : [];
  switch (trouble.kind) {
    case 'checks': {
      const failed = trouble.commands.map(({ argv, reason, stdoutPath, stderrPath }) =>
        checkLine({ argv, reason: reason ?? '', stdoutPath, stderrPath }),
      );
      return ['These checks failed in your worktree:', ...failed, ...comment].join('\n');
    }
    case 'rejected': {
      const { cause, with: others, results } = trouble.ejection;
      const why =
        cause === 'own'
          ? 'These checks fail with your work alone:'
          : `These checks pass with your work alone, and fail together with ${nameLanes(run, phase, others)}. That work has landed, and it is in your worktree now:`;
      return [why, ...results.map(checkLine), ...comment].join('\n');
    }
    case 'conflict': {
      const { paths, faults } = trouble.ejection;
      const refused =
        faults.length > 0 ? ['An earlier resolution was refused:', ...faults.map((fault) => `- ${fault}`)] : [];
      return [`Conflicting files: ${paths.join(', ')}`, ...refused, ...comment].join('\n');
    }
    case 'comment': {
      const { paths = [] } = trouble.gate.subject as { paths?: string[] };
      const why = `You changed files that your tasks do not name, and other work may change them too: ${paths.join(', ')}.`;
      return [
        why,
        trouble.gate.decision?.comment ?? 'Undo these changes.',
        `You may change: ${writeSetOf(run, phase, lane).join(', ')}`,
      ].join('\n');
    }
    default:
      return trouble satisfies never;
  }
}

function checkLine({
  argv,
  reason,
  stdoutPath,
  stderrPath,
}: Pick<CheckResult, 'argv' | 'reason' | 'stdoutPath' | 'stderrPath'>): string {
  return `- ${argv.join(' ')}: ${reason}. Output: ${stdoutPath} and ${stderrPath}`;
}

function nameLanes(run: Run, phase: Phase, laneIds: readonly string[]): string {
  const named = laneIds.map((id) => {
    const tasks = tasksOf(phase, laneOf(run, id)).map((task) => `${task.id} ${task.title}`);
    return `${id} (${tasks.join('; ')})`;
  });
  return named.length > 0 ? named.join(', ') : 'work of others';
}
