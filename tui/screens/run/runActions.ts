import type { RunState } from '../../../schemas/enums.ts';
import { isTerminal } from '../../../schemas/names.ts';
import type { RunMoved } from '../../../schemas/rpc/views/run.ts';
import { ABORT_DETAIL } from '../../../schemas/states/gate.ts';
import { movedSentence } from '../../../schemas/states/movedSentence.ts';
import { RUN_STATES } from '../../../schemas/states/run.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Binding } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import { call, type Model, type Step, step } from '../../model/model.ts';
import { goTo } from '../../model/place.ts';
import { toast } from '../../model/toast.ts';
import { shortId } from '../../text/runWords.ts';
import { askToApply } from './runApply.ts';
import { runState } from './shownRun.ts';

/** The fields of a run that an action reads. A row of the list has them, and a whole run. */
export interface RunIdAndState {
  readonly runId: string;
  readonly state: RunState;
  readonly onlyReviews?: true | undefined;
}

/** The actions on a run, in the list and on its own screen. */
export function runActions(screen: string, target: (model: Model) => RunIdAndState | undefined): Binding[] {
  const action = (
    given: Pick<Binding, 'id' | 'keys' | 'label' | 'help' | 'footer'>,
    why: (run: RunIdAndState) => string | undefined,
    run: (model: Model, run: RunIdAndState) => Step,
  ): Binding => ({
    ...given,
    id: `${screen}.${given.id}`,
    disabled(model) {
      const about = target(model);
      return about ? why(about) : 'no run is selected';
    },
    run(model) {
      const about = target(model);
      return about ? run(model, about) : step(model);
    },
  });
  return [
    action(
      { id: 'pause', keys: ['p'], label: 'pause', help: 'Pause the run: agents finish their turn, gates stay open' },
      ({ state }) => (state === 'paused' ? 'the run is already paused' : ended(state)),
      (model, { runId }) => step(model, changeState('run.pause', runId, 'pausing', {})),
    ),
    action(
      { id: 'resume', keys: ['r'], label: 'resume', help: 'Resume a paused run' },
      ({ state }) => (state === 'paused' ? undefined : (ended(state) ?? 'the run is not paused')),
      (model, { runId }) => step(model, changeState('run.resume', runId, 'resuming', {})),
    ),
    action(
      { id: 'finish', keys: ['F'], label: 'finish', help: 'Say that the work of an agent that you lead is finished' },
      ({ state }) => ended(state),
      (model, { runId }) => step(model, finishWork(runId)),
    ),
    action(
      { id: 'abort', keys: ['X'], label: 'abort', help: 'Abort the run for good; worktrees and branches stay' },
      ({ state }) => ended(state),
      askToAbort,
    ),
    action(
      { id: 'changes', keys: ['D'], label: 'diff', help: 'Show the changes of the run since its base commit' },
      () => undefined,
      showChanges,
    ),
    action(
      {
        id: 'apply',
        keys: ['M'],
        label: 'apply',
        footer: true,
        help: 'Bring the changes of an ended run to your branch: fast-forward, merge, squash, new branch, or by hand',
      },
      ({ state, onlyReviews }) => {
        if (onlyReviews) return 'the run only reviews, so there is nothing to apply';
        return isTerminal(state) ? undefined : 'the run has not ended';
      },
      askToApply,
    ),
    action(
      { id: 'cleanup', keys: ['C'], label: 'clean up', help: 'Remove the worktrees of an ended run; its branch stays' },
      ({ state }) => (isTerminal(state) ? undefined : 'the run has not ended'),
      askToCleanUp,
    ),
  ];
}

function ended(state: RunState): string | undefined {
  return isTerminal(state) ? `the run is ${stateOf(RUN_STATES, state).word}` : undefined;
}

function changeState(method: 'run.pause' | 'run.resume' | 'run.abort', runId: string, doing: string, more: object) {
  const params = { runId, ...more };
  return call(method, params, {
    doing,
    then: (model, moved: RunMoved) => step(toast(model, 'good', movedSentence(moved))),
  });
}

/** The daemon refuses it for a run whose agent nobody leads. */
function finishWork(runId: string) {
  return call(
    'run.finish',
    { runId },
    {
      doing: 'finishing',
      then: (model, { changed }) => step(toast(model, 'good', changed ? FINISHED : 'You said so already.')),
    },
  );
}

const FINISHED = 'Once the agent is at rest, devflow commits, runs the checks, and asks for your decision.';

function showChanges(model: Model, { runId }: RunIdAndState): Step {
  const there = model.place.screen === 'run' ? model : goTo(model, { screen: 'run', id: runId });
  return step(runState.set(there, { section: 'changes', opened: undefined }));
}

/** Asks for a reason, then for `y`. */
function askToAbort(model: Model, { runId }: RunIdAndState): Step {
  const confirm = (asked: Model, reason: string): Step =>
    step({
      ...asked,
      overlay: {
        kind: 'confirm',
        question: `Abort run ${shortId(runId)}? You cannot undo this.`,
        detail: ABORT_DETAIL,
        yes: 'y',
        then: (sure) => step(sure, changeState('run.abort', runId, 'aborting', reason === '' ? {} : { reason })),
      },
    });
  return step({
    ...model,
    overlay: {
      kind: 'input',
      title: `Why abort run ${shortId(runId)}? (optional)`,
      field: field(),
      mayBeEmpty: true,
      then: confirm,
    },
  });
}

/** Never forced: if uncommitted work would be lost, the daemon opens a gate instead. */
function askToCleanUp(model: Model, { runId }: RunIdAndState): Step {
  const cleanUp = call(
    'run.cleanup',
    { runId, force: false },
    {
      doing: 'cleaning up',
      then(after, { removed, kept, gone, approvalId }) {
        if (approvalId !== null) {
          const asked = toast(after, 'warn', 'A worktree has uncommitted work: a gate asks whether to remove it.');
          return step(goTo(asked, { screen: 'approval', id: approvalId }));
        }
        const [first, ...others] = kept;
        const more = others.length === 0 ? '' : ` (and ${counted(others.length, 'more worktree')})`;
        if (first) return step(toast(after, 'warn', `Kept ${first.path}: ${first.reason}${more}`));
        if (removed.length === 0)
          return step(
            toast(after, 'good', gone.length > 0 ? 'The worktrees were already removed.' : 'The run has no worktrees.'),
          );
        const what = counted(removed.length, 'worktree', 'worktrees');
        return step(toast(after, 'good', `Removed ${what}; the branch stays.`));
      },
    },
  );
  return step({
    ...model,
    overlay: {
      kind: 'confirm',
      question: `Remove the worktrees of run ${shortId(runId)}?`,
      detail: 'The branch and the report stay. devflow asks you before it removes uncommitted work.',
      yes: 'y',
      then: (sure) => step(sure, cleanUp),
    },
  });
}
