import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../../schemas/contracts/report/plan.ts';
import type { ConventionView } from '../../../../schemas/rpc/views/contracts.ts';
import type { Command, Model } from '../../../../tui/model/model.ts';
import { query } from '../../../../tui/model/query.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { update } from '../../../../tui/update/update.ts';
import { AUDIT, CONVENTIONS } from '../../captures/showcaseContracts.ts';
import { seen } from '../../given.ts';
import { given, press, read, rows, text, toasts } from '../givenScreen.ts';

const REPO = '/';
const STATUS_KEY = query('contract.status', { repo: REPO }).key;
const ANSWERS = { 'contract.status': CONVENTIONS, 'state.audit': AUDIT };
const screen = (conventions: readonly ConventionView[] = CONVENTIONS, size = { columns: 80, rows: 24 }) =>
  given({ screen: 'contracts' }, { ...ANSWERS, 'contract.status': conventions }, size);
const pressed = (model: Model, ...keys: string[]) => read(press(model, keys).model, ANSWERS);
const failing = (model: Model, value?: unknown) => {
  const error = { code: 'contract_not_found', message: 'There is no directory /gone.' };
  return { ...model, data: new Map([[STATUS_KEY, { value, error }]]) };
};

test('follows the contract files of the directory in which the dashboard was started', () => {
  const model = screen();
  expect(screenOf(model).streams?.(model)).toEqual([{ type: 'contracts', repo: REPO }]);
  expect(screenOf(model).queries(model)).toEqual([query('contract.status', { repo: REPO })]);
});

test('shows that it loads, and then that there is no contract', () => {
  expect(text(given({ screen: 'contracts' }, {}))).toContain('Loading…');
  expect(text(screen([]))).toContain('This repository uses no contract that devflow knows.');
});

test('shows why the contracts could not be read, beside an older answer too', () => {
  expect(text(failing(screen()))).toContain('There is no directory /gone.');
  const old = text(failing(screen(), CONVENTIONS));
  expect(old).toContain('There is no directory /gone.');
  expect(old).toContain('.devt/state');
});

test('filters by path', () => {
  expect(rows(press(screen(), ['/', ...'autodev', 'enter']).model).join('\n')).not.toContain('.devt/state');
});

describe('the findings of a contract', () => {
  test('open with Enter and close with Escape', () => {
    const opened = pressed(screen(), 'enter');
    expect(text(opened)).toContain('✗ .devt/state/notes-old.txt: The name notes-old.txt matches nothing');
    expect(text(pressed(opened, 'escape'))).toBe(text(screen()));
  });

  test('open with a click on the selected row', () => {
    const clicked = update(screen(), { type: 'mouse', action: 'click', row: 3, column: 5 }, screen().now).model;
    expect(text(clicked)).toContain('STATE_AD_HOC');
  });

  test('count those that are not shown', () => {
    const many = { ...(CONVENTIONS[0] as ConventionView), errors: 700 };
    expect(text(pressed(screen([many]), 'enter'))).toContain('… and 699 more findings');
  });

  test('say so when the repository no longer has the contract', () => {
    const opened = pressed(screen(), 'enter');
    const data = new Map([[STATUS_KEY, { value: [] }]]);
    expect(text({ ...opened, data })).toContain('The repository no longer has this contract.');
  });
});

describe('the audit', () => {
  test('shows the state directory by bucket', () => {
    const shown = text(pressed(screen(), 'a'));
    expect(shown).toContain('Ad hoc: the contract does not know these names (1)');
    expect(shown).toMatch(/review-login\.md {2}stale/);
  });

  test('needs a state directory', () => {
    const model = press(screen(CONVENTIONS.slice(1)), 'a').model;
    expect(toasts(model)).toEqual(['audit: there is no state directory.']);
  });
});

describe('the cleanup', () => {
  const plan = (...names: string[]): Plan => ({
    contract: 'devt/state-directory@1',
    subject: '.devt/state',
    applied: false,
    archivePath: null,
    pruned: [],
    totalBytes: 10,
    actions: names.map((name) => ({
      action: 'archive',
      path: `.devt/state/${name}`,
      to: null,
      reason: 'ad_hoc',
      bytes: 10,
      status: 'planned',
    })),
  });
  const callOf = (commands: readonly Command[]) => {
    const [command] = commands;
    if (command?.type !== 'call') throw new TypeError('no call');
    return command;
  };
  const answered = (model: Model, commands: readonly Command[], result: unknown) =>
    update(model, { type: 'commandEnded', then: (later) => callOf(commands).then(later, result as never) }, model.now)
      .model;
  const asked = (...names: string[]) => {
    const { model, commands } = press(screen(), 'c');
    expect(callOf(commands)).toMatchObject({ method: 'state.cleanup', params: { repo: REPO, apply: false } });
    return answered(model, commands, plan(...names));
  };

  test('shows its plan and asks', () => {
    const shown = seen(asked('notes-old.txt', 'x\u001b[2J\n.tmp'));
    expect(shown).toContain('Archive 2 entries of .devt/state?');
    expect(shown).toContain('notes-old.txt  ad hoc');
    expect(shown).toContain('x␛[2J␊.tmp');
  });

  test.each(['escape', 'enter', 'c', 'n'])('does nothing after %s', (key) => {
    const { model, commands } = press(asked('notes-old.txt'), key);
    expect(commands).toEqual([]);
    expect(model.overlay).toBeUndefined();
  });

  test('is carried out after y', () => {
    const { model, commands } = press(asked('a.txt', 'b.txt'), 'y');
    expect(callOf(commands)).toMatchObject({ method: 'state.cleanup', params: { repo: REPO, apply: true } });
    const { actions, ...rest } = plan('a.txt', 'b.txt');
    const done = {
      ...rest,
      archivePath: '.devt/state/.archive/x',
      actions: actions.map((each) => ({ ...each, status: 'done' })),
    };
    expect(toasts(answered(model, commands, done))).toEqual(['Archived 2 entries in .devt/state/.archive/x.']);
    const failed = { ...done, actions: [{ ...done.actions[0], status: 'error' }, done.actions[1]] };
    expect(toasts(answered(model, commands, failed))).toEqual([
      'Archived 1 entry in .devt/state/.archive/x; 1 could not be moved.',
    ]);
  });

  test('asks nothing if there is nothing to do', () => {
    const model = asked();
    expect(model.overlay).toBeUndefined();
    expect(toasts(model)).toEqual(['There is nothing to clean up in .devt/state.']);
  });

  test('needs a state directory', () => {
    const { model, commands } = press(screen(CONVENTIONS.slice(1)), 'c');
    expect(commands).toEqual([]);
    expect(toasts(model)).toEqual(['clean up: there is no state directory.']);
  });
});

test('y copies the path', () => {
  expect(seen(press(screen(), 'y').model)).toContain('.devt/state');
});

test('is drawn again when an age changes', () => {
  const model = screen();
  expect(screenOf(model).changesAt?.(model)).toBeGreaterThan(model.now);
});

test('hostile names stay in their row, at every size', () => {
  const evil = 'x\n\u001b[2J\u202e日本 '.repeat(20);
  const [first] = CONVENTIONS as [ConventionView];
  const hostile = {
    ...first,
    path: evil,
    contract: evil,
    findings: [{ path: evil, message: evil, line: 1, code: 'STATE_AD_HOC' as const, severity: 'error' as const }],
  };
  for (const columns of [60, 80, 120, 200]) {
    for (const height of [15, 24]) {
      for (const keys of [[], ['G', 'enter'], ['a']]) {
        const model = pressed(screen([first, hostile], { columns, rows: height }), ...keys);
        const shown = rows(model).join('\n');
        for (const sign of ['\u001b', '\u202e']) expect(shown).not.toContain(sign);
      }
    }
  }
});
