import { call, type Model, type Step, step } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, errorOf, withAnswer } from '../../model/query.ts';
import type { Screen } from '../../model/screen.ts';
import { toast } from '../../model/toast.ts';
import { EMPTY, type Line, line, span, wrap } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { bodySize } from '../../widgets/bodySize.ts';
import { createReader, READER_START } from '../../widgets/reader.ts';
import { askConsent, DECIDING } from './askConsent.ts';
import { faultLines, settingsLines } from './repositoryLines.ts';
import { faultsQuery, repositoryAt, settingsQuery, titleOf } from './shownRepository.ts';

const READING = 'reading the settings';

const reader = createReader({
  name: 'repository',
  state: screenState('repository', READER_START),
  lines: (model) => linesOf(model, bodySize(model).columns),
});

const shown = (model: Model) => settingsQuery({ repo: repositoryAt(model) });
const viewOf = (model: Model) => answerOf(model.data, shown(model));

/** The settings of a repository, their files, and what the person allowed. */
export const repository: Screen = {
  id: 'repository',
  tab: 'runs',
  key: {
    key: '0',
    label: 'repository',
    help: 'Go to the settings of this repository: what holds, and what you allowed',
  },
  title: titleOf,
  queries: (model) => [shown(model), faultsQuery(model)],
  bindings: [
    {
      id: 'repository.consent',
      keys: ['a'],
      label: 'allow or forbid',
      footer: true,
      help: 'Show what devflow would run in worktrees, then ask whether to allow exactly that, or never',
      disabled: whyNot,
      run: decide,
    },
    {
      id: 'repository.read',
      keys: ['r'],
      label: 'read again',
      footer: true,
      help: 'Read the settings files again',
      disabled: ({ busy }) => (busy.includes(READING) ? 'devflow reads them' : undefined),
      run: readAgain,
    },
    ...reader.bindings,
  ],
  ...reader.screen,
};

function whyNot(model: Model): string | undefined {
  if (model.link.state === 'away') return 'the daemon is not running';
  if (model.busy.includes(DECIDING)) return 'devflow records a decision';
  const view = viewOf(model);
  if (view === undefined) return 'the settings are not loaded yet';
  return view.consents.length === 0 ? 'nothing needs your consent' : undefined;
}

function decide(model: Model): Step {
  return askConsent(model, {
    about: { repo: repositoryAt(model) },
    consents: viewOf(model)?.consents ?? [],
    then: (later, decision) =>
      step(toast(later, 'good', decision === 'allowed' ? 'Allowed.' : 'Forbidden. devflow does not ask again.')),
  });
}

function readAgain(model: Model): Step {
  const again = (asked: ReturnType<typeof shown> | ReturnType<typeof faultsQuery>) =>
    call(asked.method, asked.params as { repo: string }, {
      doing: READING,
      then: (later, value) => step(withAnswer(later, asked, { value })),
      failed: (later, error) => step(withAnswer(later, asked, { error })),
    });
  return step(model, again(shown(model)), again(faultsQuery(model)));
}

function linesOf(model: Model, columns: number): Line[] {
  const room = columns - 2;
  const error = errorOf(model.data, shown(model));
  const view = viewOf(model);
  const checked = answerOf(model.data, faultsQuery(model));
  const faults = checked ? faultLines(checked, room) : [];
  // The faults of the files say the same, one a line.
  const isSaid = error?.code === 'settings_invalid' && faults.length > 0;
  const refused =
    error === undefined || isSaid
      ? []
      : [
          ...wrap(`✗ ${error.message} (${error.code})`, room, theme.bad),
          ...(error.hint === undefined ? [] : wrap(`→ ${error.hint}`, room, theme.accent)),
          EMPTY,
        ];
  const rest = view && error === undefined ? settingsLines(view, room) : [];
  const waits = view === undefined && error === undefined ? [line(span('Reading…', theme.muted))] : [];
  return [...refused, ...faults, ...rest, ...waits].map((each) => line(' ', ...each));
}
