import { isTerminal } from '../../../schemas/names.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, step } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { runName } from '../../text/runWords.ts';
import { approveTogether, whyNoneApproved, whyNotTogether } from '../decisions/approveTogether.ts';
import { gatesByRun } from '../decisions/waitingGates.ts';
import { askToWrite } from '../messages/askToWrite.ts';
import { abortTogether } from './abortTogether.ts';
import { cleanUpTogether } from './cleanUpTogether.ts';

/** Ids of marked runs. */
const state = screenState<{ readonly ids: readonly string[] }>('runs.marks', { ids: [] });

export function isMarked(model: Model, { runId }: RunSummary): boolean {
  return state.get(model).ids.includes(runId);
}

interface Listed {
  /** All runs, also those that the filter hides. */
  items(model: Model): readonly RunSummary[];
  selected(model: Model): RunSummary | undefined;
  /** The runs that the filter leaves. */
  rows(model: Model): readonly RunSummary[];
  next(model: Model): Model;
}

/** The marks of a list of runs, and the keys that act on all marked ones. */
export function createRunsMarks(list: Listed) {
  const marked = (model: Model): readonly RunSummary[] => {
    const { ids } = state.get(model);
    return ids.length === 0 ? [] : list.items(model).filter(({ runId }) => ids.includes(runId));
  };
  const gatesOf = (model: Model): ApprovalSummary[] =>
    marked(model).flatMap((run) =>
      (gatesByRun(model).get(run.runId) ?? []).filter((gate) => whyNotTogether(gate, run) === undefined),
    );
  const hasMarks = (model: Model): boolean => marked(model).length > 0;
  const unmark = (model: Model, runId: string): Model =>
    state.set(model, { ids: state.get(model).ids.filter((each) => each !== runId) });
  const whyNot = (model: Model, none: string | undefined) =>
    none ?? (isAway(model) ? 'the daemon is not running' : undefined);

  const bindings: readonly Binding[] = [
    {
      id: 'runs.mark',
      keys: [' '],
      label: 'mark',
      footer: true,
      help: 'Mark or unmark the run and select the next one; a, m, C and X act on all marked runs',
      disabled: (model) => (list.selected(model) ? undefined : 'no run is selected'),
      run(model) {
        const run = list.selected(model);
        if (!run) return step(model);
        const { ids } = state.get(model);
        const { runId } = run;
        return step(
          list.next(isMarked(model, run) ? unmark(model, runId) : state.set(model, { ids: [...ids, runId] })),
        );
      },
    },
    {
      id: 'runs.markAll',
      keys: ['*'],
      label: 'mark all',
      help: 'Mark every listed run, or unmark all',
      disabled: (model) => (list.rows(model).length > 0 ? undefined : 'no run is listed'),
      run(model) {
        const shown = list.rows(model);
        if (shown.every((run) => isMarked(model, run))) return step(state.set(model, { ids: [] }));
        return step(
          state.set(model, { ids: [...new Set([...state.get(model).ids, ...shown.map(({ runId }) => runId)])] }),
        );
      },
    },
    {
      id: 'runs.approveMarked',
      keys: ['a'],
      label: 'approve marked',
      footer: true,
      help: 'Approve the gates of all marked runs after one question that lists them with their alarms; one with comments not sent stays',
      when: hasMarks,
      disabled: (model) => whyNoneApproved(model, gatesOf(model), 'no gate of the marked runs waits for a decision'),
      run: (model) => approveTogether(model, gatesOf(model), (after, { runId }) => unmark(after, runId)),
    },
    {
      id: 'runs.writeMarked',
      keys: ['m'],
      label: 'message marked',
      help: 'Write one text to the agents of all marked runs; each gets it once, when it is free',
      when: hasMarks,
      disabled: (model) => whyNot(model, marked(model).every(hasEnded) ? 'all marked runs have ended' : undefined),
      run(model) {
        const runs = marked(model).filter((run) => !hasEnded(run));
        const title = `Message to the ${counted(runs.length, 'agent')} of the marked runs`;
        const to = runs.map((run) => ({
          target: run.runId,
          name: runName(run),
          sent: (after: Model) => unmark(after, run.runId),
        }));
        return askToWrite(model, title, to);
      },
    },
    {
      id: 'runs.cleanUpMarked',
      keys: ['C'],
      label: 'clean up marked',
      footer: true,
      help: 'Remove the worktrees of all marked runs that have ended, after one question with sizes and reasons; branches stay',
      when: hasMarks,
      disabled: (model) => whyNot(model, marked(model).some(hasEnded) ? undefined : 'no marked run has ended'),
      run: (model) => cleanUpTogether(model, marked(model), unmark),
    },
    {
      id: 'runs.abortMarked',
      keys: ['X'],
      label: 'abort marked',
      help: 'Abort all marked runs for good, after one question that lists them; worktrees and branches stay',
      when: hasMarks,
      disabled: (model) => whyNot(model, marked(model).every(hasEnded) ? 'all marked runs have ended' : undefined),
      run: (model) => abortTogether(model, marked(model), unmark),
    },
  ];

  return {
    bindings,
    hasMarks,
    /** After the title of the column of titles. */
    title(model: Model): string {
      const count = marked(model).length;
      return count === 0 ? '' : `, ${count} marked`;
    },
  };
}

const isAway = ({ link }: Model): boolean => link.state === 'away';
const hasEnded = ({ state }: RunSummary): boolean => isTerminal(state);
