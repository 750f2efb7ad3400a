import { describe, expect, test } from 'vitest';
import type { RpcResult } from '../../../../schemas/rpc/methods/index.ts';
import type { CallCommand } from '../../../../tui/model/model.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { sgrLine } from '../../../../tui/text/sgr.ts';
import { bodySize } from '../../../../tui/widgets/bodySize.ts';
import {
  ago,
  given,
  press,
  RUN,
  read,
  rows,
  SESSION,
  sessionDetail,
  text,
  toasts,
  withTranscript,
} from '../givenScreen.ts';

const why: RpcResult<'session.why'> = {
  sessionId: SESSION,
  state: 'BUSY',
  since: ago(9),
  sentence: 'The signals say busy.',
  signals: [{ at: ago(9), signal: 'hook', detail: 'PreToolUse {b}', state: 'BUSY' }],
};
const answers = { 'session.get': sessionDetail(), 'session.why': why };
const printed = Array.from({ length: 50 }, (_, nth) =>
  sgrLine(nth % 10 === 5 ? `\u001b[0;31mneedle ${nth}\u001b[m {red} ${'x'.repeat(100)}END` : `line ${nth}`),
);
const shown = (more: Partial<ReturnType<typeof sessionDetail>> = {}, size = { columns: 80, rows: 24 }) =>
  withTranscript(
    given({ screen: 'session', id: SESSION }, { ...answers, 'session.get': sessionDetail(more) }, size),
    printed,
  );

describe('the view', () => {
  test('shows the state, the expected file and the end of the transcript', () => {
    const seen = rows(shown());
    expect(seen[0]).toMatch(/● busy {2}planner claude {2}run aaaaaaaa spec {2}pane %7 {2}last prompt 30s ago/);
    expect(seen[1]).toBe(' artifact .devflow/spec.json (dev/spec@1)');
    expect(seen[2]).toContain('lines 32-50 of 50  live');
    expect(seen.at(-1)).toBe('line 49');
    expect(rows(shown({}, { columns: 200, rows: 60 }))).toHaveLength(58);
  });

  test('shows a stall and a hint', () => {
    const stall = { cause: 'permission' as const, detail: 'run {b}rm', until: null, since: ago(60) };
    const seen = text(shown({ stall, recoveryHint: 'Log in again.' }));
    expect(seen).toContain('planner asks for permission: run {b}rm (for 1m).');
    expect(seen).toContain('hint Log in again.');
  });

  test('w shows and hides the signals', () => {
    const open = read(press(shown(), 'w').model, answers);
    expect(text(open)).toContain('why The signals say busy.');
    expect(text(open)).toMatch(/hook +PreToolUse \{b\} {2}→ busy/);
    expect(text(press(open, 'w').model)).not.toContain('signals');
  });

  test('keeps the colours of the pane, and shows markup as text', () => {
    const model = shown();
    const line = screenOf(model)
      .view(model, bodySize(model))
      .find((each) => each[0]?.text === 'needle 45');
    expect(line?.[0]?.style).toEqual({ fg: 1 });
    expect(text(model)).toContain('needle 45 {red} xxx');
  });

  test('follows the transcript once the session is loaded', () => {
    const unknown = given({ screen: 'session', id: 'eeee' }, {});
    expect(screenOf(unknown).streams?.(unknown)).toEqual([]);
    expect(screenOf(shown()).streams?.(shown())).toEqual([{ type: 'transcript', sessionId: SESSION, runId: RUN }]);
    expect(text(unknown)).toContain('Loading');
  });

  test('says that there is no output yet', () => {
    const model = withTranscript(given({ screen: 'session', id: SESSION }, answers), []);
    expect(text(model)).toContain('No output yet.');
  });
});

describe('the keys', () => {
  test('k scrolls back, G goes to the end and follows again', () => {
    const back = press(shown(), 'k').model;
    expect(text(back)).toContain('lines 31-49 of 50  G: end');
    expect(text(press(back, 'G').model)).toContain('live');
    expect(text(press(back, 'g').model)).toContain('lines 1-19');
    expect(text(press(shown(), ['g', 'C-d', 'C-u', 'j']).model)).toContain('lines 2-20');
    const more = withTranscript(back, [...printed, sgrLine('new')]);
    expect(text(more)).toContain('lines 31-49 of 51');
    expect(rows(withTranscript(shown(), [...printed, sgrLine('new')])).at(-1)).toBe('new');
  });

  test('< and > scroll long lines', () => {
    expect(text(shown())).toContain('columns 1-80 of 119, < > move');
    const right = press(shown(), ['>', 'L']).model;
    expect(text(right)).toContain('columns 40-119 of 119');
    expect(text(right)).toContain('xEND');
    expect(toasts(press(right, '>').model)).toEqual(['right: no line goes further right.']);
    expect(text(press(right, ['<', 'H']).model)).toBe(text(shown()));
  });

  test('/ searches while the person types, n and N go to the next match, Esc ends the search', () => {
    const typing = press(press(shown(), 'g').model, ['/', ...'NEEDLE']).model;
    expect(rows(typing).at(-1)).toBe('/NEEDLE   1 of 5');
    const kept = press(typing, 'enter').model;
    expect(rows(press(kept, 'n').model).at(-1)).toBe('/NEEDLE  2 of 5');
    expect(rows(press(kept, ['n', 'N', 'N']).model).at(-1)).toBe('/NEEDLE  5 of 5');
    const far = press(kept, ['N']).model;
    const found = screenOf(far)
      .view(far, bodySize(far))
      .flat()
      .find(({ style }) => style?.underline);
    expect(found).toEqual({ text: 'needle', style: { fg: 1, inverse: true, underline: true } });
    expect(text(far)).toContain('needle 45');
    const forgotten = press(kept, 'escape').model;
    expect(text(forgotten)).not.toContain('/NEEDLE');
    expect(toasts(press(forgotten, 'n').model)).toEqual(['next match: there is no search; press / to start one.']);
    expect(toasts(press(press(shown(), ['/', ...'zebra', 'enter']).model, 'N').model)).toEqual([
      'previous match: nothing matches.',
    ]);
  });

  test('p probes the session, shows the result, and reads the signals again', () => {
    const [ask] = press(shown(), 'p').commands;
    const probe = ask as unknown as CallCommand<'session.probe'>;
    expect(probe).toMatchObject({ method: 'session.probe', params: { sessionId: SESSION } });
    const seen = {
      sessionId: SESSION,
      state: 'BUSY',
      alive: true,
      paneActive: true,
      lastOutputAt: ago(3),
      hint: null,
    } as const;
    const { model, commands } = probe.then(shown(), seen);
    expect(toasts(model)).toEqual(['The agent is alive; its output changes; last output 3s ago.']);
    const again = commands[0] as unknown as CallCommand<'session.why'>;
    const after = again.then(press(model, 'w').model, { ...why, sentence: 'It was looked at.' }).model;
    expect(text(after)).toContain('why It was looked at.');
    const gone = probe.then(shown(), { ...seen, alive: false, hint: 'Start it.' }).model;
    expect(toasts(gone)).toEqual(['The agent is gone; last output 3s ago. Start it.']);
  });

  test('A and V attach to the pane, or say why they cannot', () => {
    expect(press(shown(), 'A').commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: false }]);
    expect(press(shown(), 'V').commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: true }]);
    expect(toasts(press(shown({ paneId: null }), 'A').model)).toEqual(['attach: the agent has no pane.']);
    const away = { ...shown(), link: { state: 'away', since: 0 } as const };
    expect(toasts(press(away, ['A', 'p']).model)).toEqual([
      'attach: the daemon is not running.',
      'probe: the daemon is not running.',
    ]);
    expect(press(shown(), 'u').model.place).toEqual({ screen: 'run', id: RUN });
  });
});
