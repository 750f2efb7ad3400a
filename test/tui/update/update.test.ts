import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { field } from '../../../tui/model/field.ts';
import { type Model, SCREENS, step } from '../../../tui/model/model.ts';
import { STATUS } from '../../../tui/model/query.ts';
import { toast } from '../../../tui/model/toast.ts';
import { lineWidth } from '../../../tui/text/line.ts';
import { wakeAt } from '../../../tui/update/update.ts';
import { view } from '../../../tui/view.ts';
import { givenModel, press, seen, through, typing } from '../given.ts';
import { ago, given, lists, NOW, RUN, run, SESSION, session, sessionDetail } from '../screens/givenScreen.ts';

describe('keys', () => {
  it('go only to the overlay while one is open', () => {
    const asking: Model = {
      ...givenModel(),
      overlay: { kind: 'input', title: 'Why', field: field(), mayBeEmpty: true, then: (model) => step(model) },
    };
    const { model, commands } = press(asking, ...typing('q2:?'));
    expect(commands).toEqual([]);
    expect(model.overlay).toMatchObject({ kind: 'input', field: { text: 'q2:?' } });
    expect(model.place.screen).toBe('runs');
  });

  it('are letters while one types into a screen', () => {
    const { model, commands } = press(givenModel(), '/', ...typing('q3'));
    expect(commands).toEqual([]);
    expect(model.place.screen).toBe('runs');
    expect(seen(model)).toContain('/q3');
  });

  it('that are pasted go into a text field, and are ignored elsewhere', () => {
    const paste = { type: 'paste', text: 'X\ny 世界👍' } as const;
    for (const screen of SCREENS) {
      const there = { ...givenModel(), place: { screen } };
      const { model, commands } = through(there, [paste]);
      expect(commands).toEqual([]);
      expect({ ...model, toasts: [], lastToast: 0 }).toEqual(there);
      expect(model.toasts.at(-1)?.text).toContain('Paste ignored');
    }
    expect(seen(through(press(givenModel(), '/').model, [paste]).model)).toContain('/X␊y 世界👍');
    const asking: Model = {
      ...givenModel(),
      overlay: { kind: 'input', title: 'Why', field: field('<>'), mayBeEmpty: true, then: (model) => step(model) },
    };
    const { model } = through(press(asking, 'left').model, [paste]);
    expect(model.overlay).toMatchObject({ field: { text: '<X\ny 世界👍>', at: 8 } });
    expect(press(model, 'backspace').model.overlay).toMatchObject({ field: { text: '<X\ny 世界>' } });
  });

  it('Ctrl-C closes the overlay, else the dashboard, also while one types', () => {
    const open = press(givenModel(), '?');
    expect(open.model.overlay?.kind).toBe('help');
    const closed = press(open.model, 'C-c');
    expect(closed).toMatchObject({ model: { overlay: undefined }, commands: [] });
    expect(press(closed.model, 'C-c').commands).toEqual([{ type: 'quit' }]);
    expect(press(givenModel(), '/', 'C-c').commands).toEqual([{ type: 'quit' }]);
  });

  it('Escape clears a filter before it goes back', () => {
    const { model } = press(givenModel({ screen: 'doctor' }), '4', '/', 'x', 'enter');
    expect(seen(model)).toContain('/x');
    const once = press(model, 'escape').model;
    expect(once.place.screen).toBe('templates');
    expect(seen(once)).not.toContain('/x');
    expect(press(once, 'escape').model.place.screen).toBe('doctor');
  });

  it('without a binding do nothing', () => {
    for (const screen of SCREENS) {
      const model = givenModel({ screen, id: 'x' });
      for (const key of ['f9', 'C-]', 'M-x', '§', 'insert']) {
        expect(press(model, key), `${screen} ${key}`).toEqual({ model, commands: [] });
      }
    }
  });

  it('do only what the no-daemon page shows', () => {
    const none = givenModel();
    const model: Model = { ...none, link: { state: 'none', starting: false, why: 'No daemon answers.' } };
    expect(seen(model)).toMatch(/No daemon answers\. Start it\?[\s\S]*s start the daemon {3}r try again {3}q quit/);
    expect(press(model, 's')).toMatchObject({
      model: { link: { starting: true } },
      commands: [{ type: 'startDaemon' }],
    });
    expect(press(model, 'r').commands).toEqual([{ type: 'connect' }]);
    expect(press(model, 'q').commands).toEqual([{ type: 'quit' }]);
    expect(press(model, '2', '?', ':', 'n', 'enter')).toEqual({ model, commands: [] });
    const starting = press(model, 's').model;
    expect(press(starting, 's').commands).toEqual([]);
    const other: Model = { ...none, link: { state: 'other version', theirs: '9', ours: '1' } };
    expect(press(other, 's').commands).toEqual([]);
    expect(seen(other)).toContain('has version 9');
  });

  it('only quit in a terminal that is too small', () => {
    const small = givenModel({ screen: 'runs' }, { columns: 59, rows: 14 });
    expect(seen(small)).toContain('60x15');
    expect(press(small, 'q').commands).toEqual([{ type: 'quit' }]);
    expect(press(small, '2', '?').model).toEqual(small);
  });
});

describe('the mouse', () => {
  const click = (row: number, column: number) => ({ type: 'mouse', action: 'click', row, column }) as const;

  it('goes to a tab', () => {
    const column = seen(givenModel()).split('\n')[0]?.indexOf('app') ?? 0;
    expect(through(givenModel(), [click(0, column)]).model.place.screen).toBe('approvals');
  });

  it('confirms nothing', () => {
    const sure = {
      kind: 'confirm',
      question: 'Really?',
      yes: 'y',
      then: () => step(givenModel({ screen: 'help' })),
    } as const;
    const model = { ...givenModel(), overlay: sure };
    expect(through(model, [click(10, 10)])).toEqual({ model, commands: [] });
  });
});

describe('the view', () => {
  const sizes = [
    { columns: 80, rows: 24 },
    { columns: 60, rows: 15 },
    { columns: 200, rows: 60 },
    { columns: 59, rows: 14 },
    { columns: 1, rows: 1 },
  ];

  it.each(SCREENS)('of %s fills every size, with and without an overlay', (screen) => {
    for (const size of sizes) {
      for (const keys of [[], ['?'], [':'], [':', 'x'], ['/']]) {
        const { model } = press(givenModel({ screen, id: 'x' }, size), ...keys);
        const lines = view(model);
        expect(lines).toHaveLength(size.rows);
        for (const each of lines) expect(lineWidth(each)).toBe(size.columns);
      }
    }
  });

  it('survives any keys on any screen in any size', () => {
    const keys = fc.constantFrom(
      ...[
        'j',
        'k',
        'g',
        'G',
        'J',
        'enter',
        'escape',
        'tab',
        '/',
        ':',
        '?',
        'C-d',
        'C-u',
        'n',
        'x',
        'down',
        'up',
        ' ',
        'h',
      ],
      ...['1', '2', '3', '4', '5', '6', '7', '8'],
    );
    const sized = fc.record({ columns: fc.integer({ min: 1, max: 120 }), rows: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.constantFrom(...SCREENS), fc.array(keys, { maxLength: 20 }), sized, (screen, pressed, size) => {
        const { model } = through(press(givenModel({ screen, id: 'x' }), ...pressed).model, [{ type: 'resize', size }]);
        for (const each of view(model)) expect(lineWidth(each)).toBe(size.columns);
      }),
      { numRuns: 100 },
    );
  }, 30_000);

  it('shows every tab with its key, also with waiting gates, and the whole name of the current one', () => {
    const data = new Map([[STATUS.key, { value: { approvals: { pending: 9 }, problems: [] } }]]);
    for (const screen of ['runs', 'approvals', 'personas', 'contracts', 'help', 'lab'] as const) {
      for (const columns of [60, 67, 68, 74, 75, 80, 84, 85, 96, 97, 110, 111, 120]) {
        const [head = ''] = seen({ ...givenModel({ screen }, { columns, rows: 24 }), data }).split('\n');
        expect(head, `${screen} ${columns}`).toMatch(/ 1 r.* 2 a.* 3 s.* 4 t.* 5 p.* 6 c.* 7 d.* 8 h.* 9 l.*●/);
        expect(head, `${screen} ${columns}`).toContain(` ${screen}`);
        expect(head).not.toContain('…');
      }
    }
  });

  it('shows the hints that fit, always with the key of the help', () => {
    for (const screen of SCREENS) {
      for (const columns of [60, 80]) {
        const last =
          seen(givenModel({ screen, id: 'x' }, { columns, rows: 24 }))
            .split('\n')
            .at(-1) ?? '';
        expect(last, screen).toContain('? help');
        expect(last, screen).not.toContain('…');
      }
    }
  });

  it('shows a banner after the daemon is lost', () => {
    const model: Model = { ...givenModel(), link: { state: 'away', since: givenModel().now - 5_000 } };
    expect(seen(model)).toContain('Lost the daemon 5 s ago');
    expect(seen(model)).toContain('this data is old.  U starts the daemon');
    expect(press(model, 'U').commands).toEqual([{ type: 'startDaemon' }]);
    expect(press({ ...model, busy: ['starting the daemon'] }, 'U').commands).toEqual([]);
    expect(press(givenModel(), 'U').commands).toEqual([]);
  });
});

test('an idle dashboard sleeps until the age of a run changes: a second, a minute, an hour', () => {
  const shown = (...seconds: number[]) =>
    given(
      { screen: 'runs' },
      lists({ 'run.list': seconds.map((each, nth) => run({ runId: `r${nth}`, createdAt: ago(each) })) }),
    );
  expect(wakeAt(shown())).toBeUndefined();
  expect(wakeAt(shown(7201))).toBe(NOW + 3599_000);
  expect(wakeAt(shown(7201, 90))).toBe(NOW + 30_000);
  expect(wakeAt(shown(7201, 90, 5))).toBe(NOW + 1000);
});

test('wakes every second for an open run, and with the age of an ended one', () => {
  const more = { phases: [], bindings: [], approvals: [], sessions: [], commands: [], artifacts: [] };
  const at = (found: object) =>
    given(
      { screen: 'run', id: RUN },
      { 'run.get': { ...run(), baseCommit: 'abc', branch: null, reason: null, requirements: '', ...more, ...found } },
    );
  expect(wakeAt(at({ startedAt: ago(61) }))).toBe(NOW + 1000);
  expect(wakeAt(at({ startedAt: ago(2 * 3600 + 10) }))).toBe(NOW + 50_000);
  expect(wakeAt(at({ state: 'completed', startedAt: ago(900), endedAt: ago(600) }))).toBe(NOW + 60_000);
});

test('wakes for toasts, the banner, and the age of an agent’s prompt', () => {
  const none = givenModel();
  expect(wakeAt(none)).toBeUndefined();
  expect(wakeAt(toast(none, 'good', 'done'))).toBe(none.now + 4000);
  expect(wakeAt({ ...none, link: { state: 'away', since: none.now - 2300 } })).toBe(none.now + 700);
  const told = session({ lastPromptAt: ago(30) });
  expect(wakeAt(given({ screen: 'sessions' }, lists({ 'session.list': [told] })))).toBe(NOW + 1000);
  const detail = { 'session.get': sessionDetail({ lastPromptAt: ago(3600) }) };
  expect(wakeAt(given({ screen: 'session', id: SESSION }, detail))).toBe(NOW + 3_600_000);
});
