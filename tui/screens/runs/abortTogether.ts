import { isTerminal } from '../../../schemas/names.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { ABORT_DETAIL } from '../../../schemas/states/gate.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { call, type Model, type Step, step } from '../../model/model.ts';
import { type Line, line, span } from '../../text/line.ts';
import { runName } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';

type Unmark = (model: Model, runId: string) => Model;

/** One question that lists the runs. Runs that have ended are left out. */
export function abortTogether(model: Model, marked: readonly RunSummary[], unmark: Unmark): Step {
  const runs = marked.filter(({ state }) => !isTerminal(state));
  const skipped = marked.length - runs.length;
  const left = skipped === 0 ? '' : ` ${counted(skipped, 'marked run has', 'marked runs have')} ended already.`;
  return step({
    ...model,
    overlay: {
      kind: 'confirm',
      question: `Abort ${counted(runs.length, 'run')}? You cannot undo this.`,
      detail: `${ABORT_DETAIL}${left}`,
      list: runs.map((run) => line(span('• ', theme.accent), ...runName(run))),
      top: 0,
      yes: 'y',
      label: 'abort all',
      // Aborts what was listed, whatever is marked or listed meanwhile.
      then: (sure) => abortNext(sure, { runs, unmark, results: [] }),
    },
  });
}

interface Aborting {
  readonly runs: readonly RunSummary[];
  readonly unmark: Unmark;
  readonly results: readonly Line[];
}

/** One run after the other, so that each result belongs to its own run. */
function abortNext(model: Model, aborting: Aborting): Step {
  const { runs, unmark, results } = aborting;
  const run = runs[results.length];
  if (!run) {
    const refused = results.filter(([sign]) => sign?.text === '✗ ').length;
    const title = `${results.length - refused} aborted, ${refused} refused`;
    return step({ ...model, overlay: { kind: 'message', title, lines: results, top: 0 } });
  }
  const { runId } = run;
  const on = (after: Model, result: Line): Step => abortNext(after, { ...aborting, results: [...results, result] });
  return step(
    model,
    call(
      'run.abort',
      { runId },
      {
        doing: `aborting ${results.length + 1} of ${runs.length}`,
        then: (after, { changed }) =>
          on(
            unmark(after, runId),
            line(span('✓ ', theme.good), ...runName(run), changed ? ' aborted' : ' was aborted already'),
          ),
        failed: (after, { message, hint }) =>
          on(after, line(span('✗ ', theme.bad), ...runName(run), `: ${message} ${hint ?? ''}`)),
      },
    ),
  );
}
