import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import { call, type Model, step } from '../model/model.ts';
import { screenState } from '../model/place.ts';
import { answerOf, errorOf, type QueryOf, query, withAnswer } from '../model/query.ts';
import type { Screen } from '../model/screen.ts';
import { toastError } from '../model/toast.ts';
import { EMPTY, fitWidth, type Line, line, span, wrap } from '../text/line.ts';
import { theme } from '../text/theme.ts';
import { bodySize } from '../widgets/bodySize.ts';
import { createReader, READER_START, type ReaderState } from '../widgets/reader.ts';

type Check = RpcResult<'daemon.doctor'>[number];

const state = screenState<ReaderState & { readonly strict: boolean }>('doctor', {
  ...READER_START,
  strict: false,
});
const wanted = (model: Model): QueryOf<'daemon.doctor'> =>
  query('daemon.doctor', { strict: state.get(model).strict, listOrphans: false, cwd: model.cwd });
const DOING = 'checking';

const reader = createReader({ name: 'doctor', state, lines: (model) => lines(model, bodySize(model).columns) });

export const doctor: Screen = {
  id: 'doctor',
  tab: 'doctor',
  key: { key: '7', label: 'doctor', help: 'Go to the checks of this machine' },
  title: () => 'Doctor',
  queries: (model) => [wanted(model)],
  bindings: [
    {
      id: 'doctor.again',
      keys: ['r'],
      label: 'run checks',
      help: 'Run all checks again',
      footer: true,
      disabled: ({ busy }) => (busy.includes(DOING) ? 'the checks are running' : undefined),
      run(model) {
        const asked = wanted(model);
        const command = call('daemon.doctor', asked.params, {
          doing: DOING,
          then: (later, value) => step(withAnswer(later, asked, { value })),
          failed: (later, error) => step(toastError(later, error)),
        });
        return step(model, command);
      },
    },
    {
      id: 'doctor.strict',
      keys: ['s'],
      label: 'strict',
      footer: true,
      help: 'Switch strict mode, which also requires Docker, pnpm 9, git 2.40 and Node 22',
      run: (model) => step(state.set(model, { strict: !state.get(model).strict, top: 0 })),
    },
    ...reader.bindings,
  ],
  ...reader.screen,
};

function lines(model: Model, columns: number): Line[] {
  const checks = answerOf(model.data, wanted(model));
  const error = errorOf(model.data, wanted(model));
  const { strict } = state.get(model);
  const failed = error ? wrap(`${error.message} ${error.hint ?? ''}`, columns - 2, theme.bad) : [];
  return [
    ...failed,
    line(span(' This machine', theme.title), span(strict ? ', strict' : '', theme.warn), summary(checks)),
    EMPTY,
    ...(checks ?? []).flatMap((check) => checkLines(check, columns)),
  ];
}

function summary(checks: readonly Check[] | undefined): string {
  if (checks === undefined) return ': checking…';
  const count = (status: Check['status']) => checks.filter((each) => each.status === status).length;
  return `: ${count('pass')} pass, ${count('warn')} warn, ${count('fail')} fail`;
}

const SIGN = { pass: '✓ pass', warn: '! warn', fail: '✗ fail' } as const;
const LOOK = { pass: theme.good, warn: theme.warn, fail: theme.bad } as const;

function checkLines({ name, status, detail, remediation }: Check, columns: number): Line[] {
  const room = Math.max(20, columns - 28);
  const lines = [
    ...wrap(detail, room),
    ...(remediation === null || status === 'pass' ? [] : wrap(`→ ${remediation}`, room, theme.accent)),
  ];
  const head = line(
    ' ',
    ...fitWidth(line(span(SIGN[status], LOOK[status])), 8),
    ...fitWidth(line(span(name)), 18),
    ' ',
  );
  return lines.map((each, nth) => line(...(nth === 0 ? head : fitWidth(EMPTY, 28)), ...each));
}
