import { ABORT_DETAIL } from '../../../cli/client/consequences.ts';
import { counted } from '../../../schemas/counted.ts';
import type { RunState } from '../../../schemas/enums.ts';
import type { RunMoved } from '../../../schemas/rpc/views/run.ts';
import { RUN_STATES } from '../../../schemas/states/run.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { isTerminal } from '../../../schemas/terminalStates.ts';
import type { Binding } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import type { Model } from '../../model/model.ts';
import { goTo } from '../../model/navigate.ts';
import { call, type Step, step, toast } from '../../model/step.ts';
import { shortId } from '../../text/runWords.ts';
import { askToApply } from './runApply.ts';
import { runState } from './runHere.ts';

/** What the actions look at: both a line of the list and a whole run have it. */
export interface Target {
  readonly runId: string;
  readonly state: RunState;
}

/** What can be done to a run, in the list and on its own screen; each says why it cannot be done now. */
export function runActions(screen: string, target: (model: Model) => Target | undefined): Binding[] {
  const action = (
    given: Pick<Binding, 'id' | 'keys' | 'label' | 'help'>,
    why: (run: Target) => string | undefined,
    run: (model: Model, run: Target) => Step,
  ): Binding => ({
    ...given,
    id: `${screen}.${given.id}`,
    disabled(model) {
      const about = target(model);
      return about ? why(about) : 'there is no run';
    },
    run(model) {
      const about = target(model);
      return about ? run(model, about) : step(model);
    },
  });
  return [
    action(
      { id: 'pause', keys: ['p'], label: 'pause', help: 'Pause the run; its agents finish their turn, its gates stay' },
      ({ state }) => (state === 'paused' ? 'it is paused' : ended(state)),
      (model, { runId }) => step(model, moved('run.pause', runId, 'pausing', {})),
    ),
    action(
      { id: 'resume', keys: ['r'], label: 'resume', help: 'Go on with a paused run' },
      ({ state }) => (state === 'paused' ? undefined : (ended(state) ?? 'it is not paused')),
      (model, { runId }) => step(model, moved('run.resume', runId, 'resuming', {})),
    ),
    action(
      { id: 'abort', keys: ['X'], label: 'abort', help: 'Abort the run for good; worktrees and branches stay' },
      ({ state }) => ended(state),
      askToAbort,
    ),
    action(
      { id: 'changes', keys: ['D'], label: 'changes', help: 'Show what the run changes against its base commit' },
      () => undefined,
      showChanges,
    ),
    action(
      {
        ...{ id: 'apply', keys: ['M'], label: 'apply', footer: true },
        help: "Bring an ended run's work to your branch: fast-forward, merge, squash, a new branch, or the commands",
      },
      ({ state }) => (isTerminal(state) ? undefined : 'it has not ended'),
      askToApply,
    ),
    action(
      { id: 'cleanup', keys: ['C'], label: 'clean up', help: 'Remove the worktrees of an ended run; its branch stays' },
      ({ state }) => (isTerminal(state) ? undefined : 'it has not ended'),
      askToCleanUp,
    ),
  ];
}

function ended(state: RunState): string | undefined {
  return isTerminal(state) ? `it is ${stateOf(RUN_STATES, state).word}` : undefined;
}

function moved(method: 'run.pause' | 'run.resume' | 'run.abort', runId: string, doing: string, more: object) {
  const params = { runId, ...more };
  return call(method, params, {
    doing,
    then: (model, { state, changed }: RunMoved) =>
      step(
        toast(
          model,
          'good',
          `The state of run ${shortId(runId)} ${changed ? 'is now' : 'was already'} ${stateOf(RUN_STATES, state).word}.`,
        ),
      ),
  });
}

function showChanges(model: Model, { runId }: Target): Step {
  const there = model.place.screen === 'run' ? model : goTo(model, { screen: 'run', id: runId });
  return step(runState.set(there, { section: 'changes', opened: undefined }));
}

/** First the reason, then y: nothing else says yes. */
function askToAbort(model: Model, { runId }: Target): Step {
  const confirm = (asked: Model, reason: string): Step =>
    step({
      ...asked,
      overlay: {
        kind: 'confirm',
        question: `Abort run ${shortId(runId)}? It cannot be undone.`,
        detail: ABORT_DETAIL,
        yes: 'y',
        then: (sure) => step(sure, moved('run.abort', runId, 'aborting', reason === '' ? {} : { reason })),
      },
    });
  return step({
    ...model,
    overlay: {
      kind: 'input',
      title: `Why abort run ${shortId(runId)}? (may stay empty)`,
      field: field(),
      mayBeEmpty: true,
      then: confirm,
    },
  });
}

/** Never forced: where work that no commit has would go, the daemon opens a gate instead. */
function askToCleanUp(model: Model, { runId }: Target): Step {
  const cleanUp = call(
    'run.cleanup',
    { runId, force: false },
    {
      doing: 'cleaning up',
      then(after, { removed, kept, gone, approvalId }) {
        if (approvalId !== null) {
          const asked = toast(after, 'warn', 'There is work that no commit has: a gate asks whether it may go.');
          return step(goTo(asked, { screen: 'approval', id: approvalId }));
        }
        const [first] = kept;
        if (first) return step(toast(after, 'warn', `Kept ${first.path}: ${first.reason}`));
        if (removed.length === 0)
          return step(toast(after, 'good', gone.length > 0 ? 'Already gone.' : 'Nothing was there.'));
        const what = counted(removed.length, 'worktree is', 'worktrees are');
        return step(toast(after, 'good', `${what} removed; the branch stays.`));
      },
    },
  );
  return step({
    ...model,
    overlay: {
      kind: 'confirm',
      question: `Remove the worktrees of run ${shortId(runId)}?`,
      detail: 'Its branch and its report stay. Work that no commit has is never removed without a decision of yours.',
      yes: 'y',
      then: (sure) => step(sure, cleanUp),
    },
  });
}
