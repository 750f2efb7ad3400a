import { expect, test } from 'vitest';
import type { EndOfRun } from '../../../../schemas/rpc/views/ends.ts';
import type { RunSummary } from '../../../../schemas/rpc/views/run.ts';
import type { CallCommand, Command, Model, Step } from '../../../../tui/model/model.ts';
import { activeBindings } from '../../../../tui/screens/index.ts';
import { givenSheet } from '../../../schemas/sheet/givenSheet.ts';
import { seen } from '../../given.ts';
import { ago, detail, gate, given, lists, press, read, rows, run, toasts } from '../givenScreen.ts';

const idOf = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000001`;
const WAITS = run({ runId: idOf('a'), title: 'Greet by name' });
const WORKS = run({ runId: idOf('b'), title: 'Count the words', state: 'executing', waitsForPerson: false });
const DONE = run({
  runId: idOf('c'),
  title: 'Export a year',
  state: 'completed',
  waitsForPerson: false,
  endedAt: ago(60),
});
const FAILED = run({
  runId: idOf('d'),
  title: 'Draw borders',
  state: 'failed',
  waitsForPerson: false,
  endedAt: ago(90),
});
const GATES = [
  gate('11111111-gate', { runId: WAITS.runId }),
  gate('22222222-gate', { runId: WAITS.runId, gateKey: 'x' }),
];
const list = (runs: readonly RunSummary[] = [WAITS, WORKS, DONE, FAILED]): Model =>
  given({ screen: 'runs' }, lists({ 'run.list': runs, 'run.list words': [], 'approval.list pending': GATES }), {
    columns: 100,
    rows: 30,
  });
const keys = (model: Model, ...all: string[]) => press(model, all).model;
const callsOf = (commands: readonly Command[]) => commands as unknown as CallCommand<never>[];

const leftOf = (of: RunSummary, more: Partial<EndOfRun> = {}): EndOfRun => ({
  runId: of.runId,
  title: of.title,
  repoPath: '/home/ada/greeter',
  goes: [
    {
      what: 'worktree',
      path: `/w/${of.runId.slice(0, 8)}`,
      branch: `devflow/${of.runId}/main`,
      head: 'e'.repeat(40),
      bytes: 4096,
    },
  ],
  kept: [],
  ...more,
});
const STAYS = leftOf(FAILED, {
  goes: [],
  kept: [
    {
      what: 'worktree',
      path: '/w/dddddddd',
      branch: null,
      head: null,
      bytes: null,
      why: 'uncommitted',
      reason: '2 files are not committed',
    },
  ],
});

/** The only call of a step, answered. */
function answer({ model, commands }: Step, value: unknown): Step {
  return callsOf(commands)[0]?.then(model, value as never) ?? { model, commands: [] };
}

test('Space marks a run and selects the next one; Space again unmarks it', () => {
  const one = keys(list(), ' ');
  expect(rows(one)[0]).toContain('title, 1 marked');
  expect(rows(one)[1]).toMatch(/^ \* decision +aaaaaaaa/);
  expect(rows(one)[2]).toMatch(/^▌● executing +bbbbbbbb/);
  expect(rows(keys(one, 'k', ' '))[0]).not.toContain('marked');
});

test('* marks all filtered runs; * again unmarks all', () => {
  const all = keys(list(), '*');
  expect(rows(all)[0]).toContain('4 marked');
  expect(rows(keys(all, '*'))[0]).not.toContain('marked');
  const some = keys(list(), '/', ...'words', 'enter', '*', 'escape');
  expect(rows(some)[0]).toContain('1 marked');
  expect(rows(some).find((row) => row.includes('bbbbbbbb'))).toMatch(/^.\* executing/);
});

test('marks stay on their runs in another order', () => {
  const sorted = keys(keys(list(), ' '), 'S', ...'age', 'enter');
  expect(rows(sorted).filter((row) => /^.\*/.test(row))).toEqual([expect.stringContaining('aaaaaaaa')]);
});

test('a approves the gates of all marked runs after one question that lists them', () => {
  const { model, commands } = press(keys(list(), '*'), 'a');
  expect(seen(model)).toContain('Approve 2 gates?');
  expect(press(model, 'y').commands).toEqual([]);
  const [first, second] = GATES.map((each) => detail(each.id, each));
  const asked = answer(answer({ model, commands }, first), second).model;
  expect(seen(asked)).toMatch(/• spec_approved \(spec\) #1 +run aaaaaaaa greeter +hash abababababab/);
  expect(press(asked, 'y').commands).toMatchObject([
    { type: 'decide', params: { approvalId: '11111111-gate', action: 'approve' } },
  ]);
  expect(toasts(press(keys(list([DONE]), '*'), 'a').model)).toEqual([
    'approve marked: no gate of the marked runs waits for a decision.',
  ]);
});

test('a lists the alarms of the marked runs and approves exactly what was shown', () => {
  const { model, commands } = press(keys(list(), '*'), 'a');
  const alarms = [{ code: 'fake' as const, sentence: 'A fake agent took part.' }];
  const [first, second] = GATES.map((each, nth) =>
    detail(each.id, { ...each, shown: `${nth}`.repeat(64), sheet: givenSheet({ alarms: nth === 1 ? alarms : [] }) }),
  );
  const asked = answer(answer({ model, commands }, first), second).model;
  expect(seen(asked)).toContain('1 of 2 gates has alarms: fake agent (1).');
  expect(seen(asked)).toMatch(/• x \(spec\) #1.*\n.*! A fake agent took part\./);
  expect(press(asked, 'y').commands).toMatchObject([
    { type: 'decide', params: { approvalId: '22222222-gate', action: 'approve', shown: '1'.repeat(64) } },
  ]);
});

test('X aborts the marked runs after one question that lists them, one after the other', () => {
  const asked = keys(list(), '*', 'X');
  expect(seen(asked)).toContain('Abort 2 runs? You cannot undo this.');
  expect(seen(asked)).toMatch(/2 marked runs │\n.*have ended already\./);
  expect(seen(asked)).toContain('• aaaaaaaa Greet by name');
  expect(seen(asked)).toContain('• bbbbbbbb Count the words');
  expect(seen(asked)).not.toContain('• cccccccc');
  expect(press(asked, 'n')).toMatchObject({ commands: [], model: { overlay: undefined } });
  const first = press(asked, 'y');
  expect(first.commands).toMatchObject([{ method: 'run.abort', params: { runId: WAITS.runId } }]);
  const second = answer(first, { runId: WAITS.runId, state: 'aborted', changed: true });
  expect(second.commands).toMatchObject([{ method: 'run.abort', params: { runId: WORKS.runId } }]);
  const failed = callsOf(second.commands)[0]?.failed?.(second.model, { code: 'internal', message: 'It broke.' });
  expect(failed && seen(failed.model)).toContain('1 aborted, 1 refused');
  expect(failed && seen(failed.model)).toContain('✗ bbbbbbbb Count the words: It broke.');
  // What was refused stays marked.
  expect(failed && rows(keys(failed.model, 'x'))[0]).toContain('3 marked');
  expect(toasts(keys(list([DONE]), '*', 'X'))).toEqual(['abort marked: all marked runs have ended.']);
});

test('C removes what the plan said of the marked runs that ended, and lists what stays with its reason', () => {
  const reading = press(keys(list(), '*'), 'C');
  expect(reading.commands).toMatchObject([
    { method: 'run.cleanupEnded', params: { repo: '/home/ada/greeter', dryRun: true } },
  ]);
  const other = leftOf(run({ runId: idOf('e'), title: 'Not marked' }));
  const asked = answer(reading, { runs: [leftOf(DONE), STAYS, other], done: false }).model;
  const shown = seen(asked);
  expect(shown).toContain('Remove 1 worktree of 1 run, 4.0 KB?');
  expect(shown).toContain('cccccccc Export a year  greeter');
  expect(shown).toContain('− worktree /w/cccccccc  4.0 KB');
  expect(shown).toContain('✓ stays worktree /w/dddddddd: 2 files are not committed');
  expect(shown).toContain('2 marked runs have not ended and stay.');
  expect(shown).not.toContain('Not marked');
  const removing = press(asked, 'y');
  const branch = `devflow/${DONE.runId}/main`;
  expect(callsOf(removing.commands).map(({ params }) => params)).toEqual([
    { repo: '/home/ada/greeter', agreed: [{ runId: DONE.runId, heads: [{ branch, head: 'e'.repeat(40) }] }] },
  ]);
  const done = answer(removing, { runs: [leftOf(DONE)], done: true }).model;
  expect(seen(done)).toContain('Removed 1 worktree of 1 run');
  expect(rows(keys(done, 'x'))[0]).toContain('3 marked');
});

test('C asks nothing if nothing can go, and says so', () => {
  const reading = press(keys(list(), '*'), 'C');
  expect(seen(answer(reading, { runs: [STAYS], done: true }).model)).toContain('Nothing of the marked runs can go');
  const none = answer(reading, { runs: [], done: true }).model;
  expect(none.overlay).toBeUndefined();
  expect(toasts(none)).toEqual(['The marked runs have left no worktree.']);
  expect(toasts(keys(list([WORKS]), '*', 'C'))).toEqual(['clean up marked: no marked run has ended.']);
});

test('an error in between says what went before', () => {
  const runs = Array.from({ length: 12 }, (_, nth) => ({
    ...DONE,
    runId: `${nth}`.padStart(8, '0'),
    title: `Run ${nth}`,
  }));
  const asked = answer(press(keys(list(runs), '*'), 'C'), { runs: runs.map((each) => leftOf(each)), done: false });
  const first = press(asked.model, 'y');
  expect(callsOf(first.commands)[0]?.doing).toBe('removing 1 of 12');
  const second = answer(first, { runs: runs.slice(0, 10).map((each) => leftOf(each)), done: false });
  expect(callsOf(second.commands)[0]?.doing).toBe('removing 11 of 12');
  const failed = callsOf(second.commands)[0]?.failed?.(second.model, { code: 'git_failed', message: 'git broke.' });
  expect(failed && seen(failed.model)).toContain('Removed 10 worktrees of 10 runs');
  expect(failed && seen(failed.model)).toContain('✗ git broke.');
});

test('without marks, X and C act on the selected run, as before', () => {
  expect(keys(list(), 'X').overlay).toMatchObject({ kind: 'input', title: 'Why abort run aaaaaaaa? (optional)' });
  expect(keys(list(), 'G', 'C').overlay).toMatchObject({
    kind: 'confirm',
    question: 'Remove the worktrees of run dddddddd?',
  });
});

test('no key has two meanings, with marks or without', () => {
  for (const model of [list(), read(keys(list(), '*'), {})]) {
    const all = activeBindings(model).flatMap((binding) => binding.keys);
    expect(all.filter((key, nth) => all.indexOf(key) !== nth)).toEqual([]);
  }
});
