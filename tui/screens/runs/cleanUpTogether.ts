import { defined } from '../../../schemas/defined.ts';
import { isTerminal } from '../../../schemas/names.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { EndOfRun, Leftover } from '../../../schemas/rpc/views/ends.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import { agreedTo, ENDS_AT_ONCE, endsSummary, IGNORED_FILES_GO } from '../../../schemas/states/endsNote.ts';
import { sizeOf } from '../../../schemas/states/setup.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { call, type Model, type Step, step } from '../../model/model.ts';
import { toast } from '../../model/toast.ts';
import { type Line, line, span } from '../../text/line.ts';
import { baseName, runName } from '../../text/runWords.ts';
import { theme } from '../../text/theme.ts';
import { askWhenRead } from '../decisions/askWhenRead.ts';

type Plan = RpcResult<'run.cleanupEnded'>;
type Unmark = (model: Model, runId: string) => Model;

/** Reads what may go of the marked runs, and asks once. What stays is listed with its reason. */
export function cleanUpTogether(model: Model, marked: readonly RunSummary[], unmark: Unmark): Step {
  const ended = marked.filter(({ state }) => isTerminal(state));
  const ids = new Set(ended.map(({ runId }) => runId));
  const wish = wishOf(ended);
  return askWhenRead<Plan>(model, {
    question: `Remove the worktrees of ${counted(ended.length, 'ended run')}?`,
    yes: 'y',
    read: (then, failed) =>
      call('run.cleanupEnded', { ...wish, dryRun: true }, { doing: 'reading what may go', then, failed }),
    ask(after, plan) {
      const runs = plan.runs.filter(({ runId }) => ids.has(runId));
      const going = runs.filter(({ goes }) => goes.length > 0);
      const list = runs.flatMap(planLines);
      if (runs.length === 0) return step(toast(after, 'good', 'The marked runs have left no worktree.'));
      if (going.length === 0) return step(message(after, 'Nothing of the marked runs can go', list));
      return step({
        ...after,
        overlay: {
          kind: 'confirm',
          question: `Remove ${endsSummary(going)}?`,
          detail: `${detailOf(marked.length - ended.length)}`,
          list,
          top: 0,
          yes: 'y',
          label: 'remove',
          then: (sure) => removeNext(sure, { wish, going, unmark, done: [] }),
        },
      });
    },
  });
}

/** Of one repository, if all are of one: the daemon then looks at no other. */
function wishOf(runs: readonly RunSummary[]): { repo?: string; host?: string } {
  const [first] = runs;
  const only = <K extends 'repoPath' | 'host'>(key: K) =>
    first && runs.every((run) => run[key] === first[key]) ? first[key] : undefined;
  return defined({ repo: only('host') === undefined ? only('repoPath') : undefined, host: only('host') });
}

function detailOf(open: number): string {
  const skipped =
    open === 0
      ? ''
      : ` ${counted(open, 'marked run has', 'marked runs have')} not ended and ${open === 1 ? 'stays' : 'stay'}.`;
  return `${IGNORED_FILES_GO} Branches and reports stay.${skipped}`;
}

function planLines(run: EndOfRun): Line[] {
  return [
    line(...runName(run), span(`  ${baseName(run.repoPath)}`, theme.muted)),
    ...run.goes.map((item) => line(span('  − ', theme.bad), nameOf(item), span(sizeNote(item), theme.muted))),
    ...run.kept.map((item) => line(span('  ✓ stays ', theme.good), nameOf(item), span(`: ${item.reason}`, theme.warn))),
  ];
}

const nameOf = ({ what, path, branch }: Leftover): string => `${what} ${what === 'worktree' ? path : branch}`;
const sizeNote = ({ bytes }: Leftover): string => (bytes === null ? '' : `  ${sizeOf(bytes)}`);

interface Removing {
  readonly wish: ReturnType<typeof wishOf>;
  readonly going: readonly EndOfRun[];
  readonly unmark: Unmark;
  readonly done: readonly EndOfRun[];
}

/** Removes only what was listed. An error ends it, and the message says what went before. */
function removeNext(model: Model, removing: Removing, at = 0): Step {
  const { wish, going, unmark, done } = removing;
  const now = going.slice(at, at + ENDS_AT_ONCE);
  if (now.length === 0) return step(results(model, done, []));
  const doing = going.length <= ENDS_AT_ONCE ? 'removing worktrees' : `removing ${at + 1} of ${going.length}`;
  return step(
    model,
    call(
      'run.cleanupEnded',
      { ...wish, agreed: agreedTo(now) },
      {
        doing,
        then: (after, { runs }) =>
          removeNext(
            now.reduce((unmarked, { runId }) => unmark(unmarked, runId), after),
            { ...removing, done: [...done, ...runs] },
            at + ENDS_AT_ONCE,
          ),
        failed: (after, { message: why, hint }) =>
          step(results(after, done, [line(span(`✗ ${why} ${hint ?? ''}`, theme.bad))])),
      },
    ),
  );
}

function results(model: Model, done: readonly EndOfRun[], more: readonly Line[]): Model {
  const title = done.some(({ goes }) => goes.length > 0)
    ? `Removed ${endsSummary(done.filter(({ goes }) => goes.length > 0))}`
    : 'Nothing was removed';
  return message(model, title, [...done.flatMap(planLines), ...more]);
}

function message(model: Model, title: string, lines: readonly Line[]): Model {
  return { ...model, overlay: { kind: 'message', title, lines, top: 0 } };
}
