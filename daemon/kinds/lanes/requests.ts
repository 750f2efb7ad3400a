import type { Request } from '../../core/assignment/request.ts';
import { laneOf } from '../../core/run/lanes.ts';
import { definitionOf, expectedArtifactOf } from '../../core/run/query.ts';
import type { Assignment, Run } from '../../core/run/state.ts';
import { conflictPath } from './laneEffects.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { taskText } from './taskText.ts';
import { troubleNamed } from './troubles.ts';
import { troubleText } from './troubleText.ts';

/** An assignment in a lane is asked for a task of the plan, or for a repair. */
export function laneRequest(run: Run, phase: LanesPhase, assignment: Assignment): Request {
  const { instructions = '' } = definitionOf(run, phase);
  const expected = expectedArtifactOf(run, phase);
  const task = dagOf(phase).tasks.find(({ id }) => id === assignment.key);
  if (task) return { instructions, ...expected, values: { task: taskText(run, phase, task) } };
  const lane = laneOf(run, assignment.laneId);
  const trouble = troubleNamed(run, phase, lane, assignment.because ?? '');
  const text = troubleText(run, phase, lane, trouble, assignment);
  if (trouble.kind !== 'conflict') return { instructions: REPAIR, ...expected, values: { trouble: text } };
  const values = { conflict: conflictPath(phase, lane), trouble: text };
  return { instructions: RESOLVE, file: 'conflict-resolution.json', schema: 'dev/conflict-resolution@1', values };
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
