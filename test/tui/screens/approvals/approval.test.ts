import { describe, expect, test } from 'vitest';
import { SCISSORS } from '../../../../cli/client/scissors.ts';
import type { Command, DecideCommand, Model, Step } from '../../../../tui/model/model.ts';
import { decisionBindings } from '../../../../tui/screens/approvals/decisionBindings.ts';
import { update } from '../../../../tui/update/update.ts';
import { givenSheet } from '../../../schemas/sheet/givenSheet.ts';
import {
  type Answers,
  ago,
  artifact,
  type Decided,
  detail,
  gate,
  given,
  lists,
  press,
  RUN,
  read,
  rows,
  SESSION,
  sessionDetail,
  text,
  toasts,
} from '../givenScreen.ts';

const ID = '11111111-gate';
const SPEC = {
  title: 'Greet by name',
  summary: 'It **should** greet.',
  goals: ['A user is greeted'],
  openQuestions: [],
};
const before = artifact({ ...SPEC, goals: ['A user is seen'] }, { attempt: 1 });
const now = artifact(SPEC, { attempt: 2 });
const patch = `diff --git a/src/greet.js b/src/greet.js
--- a/src/greet.js
+++ b/src/greet.js
@@ -1 +1 @@
-console.log('hi')
+console.log('${'long '.repeat(40)}')
`;
const full = detail(ID, {
  attempt: 2,
  artifacts: [now],
  sessionIds: [SESSION],
  uncommittedFiles: 2,
  nestedRepositories: ['vendor/lib'],
  diff: {
    base: 'a',
    head: 'b',
    patch,
    truncated: false,
    files: [{ path: 'src/greet.js', insertions: 1, deletions: 1 }],
  },
  commands: [
    {
      commandId: 'c',
      phaseKey: 'verify',
      attempt: 1,
      index: 0,
      kind: 'test',
      argv: ['npm', 'test'],
      cwd: '/w',
      exitCode: 1,
      reason: null,
      stdoutPath: '/o',
      stderrPath: null,
      startedAt: ago(20),
      endedAt: ago(10),
    },
  ],
  sheet: givenSheet({
    decides: 'Accept the result of "Write the specification" (spec), attempt 2?',
    leadsTo: [{ action: 'approve', sentence: '"Plan the work" begins.' }],
    alarms: [
      { code: 'uncommitted', sentence: '2 files in the worktree are not committed, and so not in these changes.' },
      { code: 'nested', sentence: 'Git repositories left out of the commit: vendor/lib' },
    ],
    asked: { requirements: 'Greet people.', changes: 'Greet, do not see' },
    documents: [
      { artifactId: now.artifactId, schema: now.schema, path: now.path, hash: now.hash, edited: false, isSaid: false },
    ],
  }),
});
const answers = (approval: unknown = full, more: Answers = {}): Answers =>
  lists({
    'approval.list pending': [gate(ID), gate('22222222-next')],
    [`approval.get ${ID}`]: approval,
    'artifact.list': [before, now],
    'artifact.get art-1': before,
    'session.get': sessionDetail(),
    ...more,
  });
const shown = (approval: unknown = full, size?: { columns: number; rows: number }, more?: Answers) =>
  given({ screen: 'approval', id: ID }, answers(approval, more), size);

const decisionOf = (commands: readonly Command[]) =>
  commands.find((command): command is DecideCommand => command.type === 'decide');
const answered = (command: DecideCommand | undefined, more: Partial<Decided> = {}): Decided => ({
  decisionId: 'd',
  created: true,
  approvalId: ID,
  runId: RUN,
  state: 'approved',
  action: command?.params.action ?? 'approve',
  ...more,
});

describe('the view', () => {
  test('shows the question, and the whole page below it', () => {
    for (const size of [
      { columns: 80, rows: 40 },
      { columns: 200, rows: 60 },
    ]) {
      const seen = text(shown(full, size));
      expect(seen).toContain('spec_approved  spec, attempt 2');
      expect(seen).toContain('Accept the result of "Write the specification" (spec)');
      expect(seen).toContain('[Sheet]  Changes 1   Documents 1   Since attempt 1   Output 1   About');
      expect(seen).toContain('approve: "Plan the work" begins.');
      expect(seen).toContain('! 2 files in the worktree are not committed');
      expect(seen).toContain('! Git repositories left out of the commit: vendor/lib');
      expect(seen).toContain('You asked for: Greet, do not see');
      expect(seen).toContain('Title: Greet by name');
      expect(seen).toContain('It should greet.');
      expect(seen).toContain('Open questions: none');
    }
  });

  test('shows the alarms in the other sections, too, in at most a third of the rows', () => {
    for (const rowCount of [15, 24, 40]) {
      const changes = press(shown(full, { columns: 80, rows: rowCount }), 'tab').model;
      expect(text(changes)).toContain('[Changes 1]');
      expect(rows(changes).filter((row) => /^\s*!/.test(row)).length).toBeLessThanOrEqual(rowCount / 3);
    }
    expect(text(press(shown(), 'tab').model)).toContain('! 2 files in the worktree are not committed');
  });

  test('letters of a search decide nothing', () => {
    const high = () => shown(full, { columns: 80, rows: 40 });
    const { model, commands } = press(high(), ['/', ...'aRX greeted', 'C-u', ...'GREETED']);
    expect(commands).toEqual([]);
    expect(text(model)).toContain('/GREETED   1 of 1');
    expect(text(press(model, ['enter', 'tab']).model)).not.toContain('/GREETED');
    expect(text(press(model, ['enter', 'escape']).model)).toBe(text(high()));
  });

  test('Tab goes through the sections and starts again', () => {
    const code = press(shown(), 'tab').model;
    expect(text(code)).toContain('1 file, +1 −1');
    expect(text(code)).toContain("-console.log('hi')");
    const documents = press(code, 'tab').model;
    expect(text(documents)).toContain('[Documents 1]');
    expect(text(documents)).toContain('Title: Greet by name');
    const since = press(documents, 'tab').model;
    expect(text(since)).toMatch(/- .*A user is seen\n.*\+ .*A user is greeted/);
    const commands = press(since, 'tab').model;
    expect(text(commands)).toContain('✗ npm test\n   exit 1  10s');
    expect(text(press(commands, ['tab', 'tab']).model)).toBe(text(shown()));
    expect(text(press(shown(), 'S-tab').model)).toContain('artifact hash abab');
  });

  test('only code scrolls sideways', () => {
    const code = press(shown(), 'tab').model;
    expect(text(code)).toContain('< > column 1');
    expect(text(press(code, '>').model)).toContain('< > column 21');
    expect(text(press(code, ['L', 'H']).model)).toBe(text(code));
    expect(toasts(press(shown(), '>').model)).toEqual(['right: no line goes further right.']);
    expect(toasts(press(code, '<').model)).toEqual(['left: the lines are at their left end.']);
  });

  test('r shows the artifact as written', () => {
    const raw = press(shown(), 'r').model;
    expect(text(raw)).toContain('{"title":"Greet by name"');
    expect(text(press(raw, 'r').model)).toContain('Title: Greet by name');
    expect(toasts(press(shown(detail(ID)), 'r').model)).toEqual(['as written: the gate has no document.']);
  });

  test('shows the text of an agent without control characters', () => {
    const evil = artifact({ title: '{red-fg}x\u001b[31m\u001b]0;owned\u0007', summary: '\u001b[2J\u202e' });
    const seen = text(
      shown(detail(ID, { artifacts: [evil, artifact('\u001b[2Jno json {/}', { artifactId: 'art-2' })] })),
    );
    expect(seen).toContain('{red-fg}x␛[31m␛]0;owned␇');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not come through
    expect(seen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(seen).toContain('no json {/}');
  });

  test('a recovery gate shows the problem and the invalid artifact', () => {
    const trouble = { code: 'artifact_invalid', reason: 'it was invalid', recoveryHint: 'look', sessionId: SESSION };
    const refused = artifact('{"title":1}', { valid: false, errors: [{ path: '/title', message: 'must be string' }] });
    const stuck = detail(ID, { kind: 'recovery', gateKey: 'recovery', subject: trouble, question: 'Bad. Try again?' });
    const at = shown(stuck, undefined, { 'artifact.list': [refused], 'artifact.get art-1': refused });
    expect(text(at)).toContain('reason: it was invalid');
    expect(text(at)).toContain('hint: look');
    expect(text(press(at, 'tab').model)).toContain('/title: must be string');
  });

  test('says that a gate is missing or not loaded yet', () => {
    expect(text(shown(undefined, undefined, { [`approval.get ${ID}`]: undefined }))).toContain('Loading');
    const { model } = press(given({ screen: 'approval', id: ID }, lists()), 'a');
    expect(toasts(model)).toEqual(['approve: the gate is not loaded yet.']);
  });

  test('every scroll key scrolls a long text', () => {
    const long = artifact({ goals: Array.from({ length: 60 }, (_, nth) => `goal ${nth}`) }, { schema: 'dev/spec@1' });
    const at = shown(detail(ID, { artifacts: [long] }));
    for (const [key, sees] of [['j', 'goal 1'] as const, ['C-d', 'goal 20'] as const, ['G', 'goal 59'] as const])
      expect(text(press(at, key).model)).toContain(sees);
    expect(text(press(at, ['G', 'g']).model)).toBe(text(at));
    expect(text(press(at, ['C-d', 'C-u', 'j', 'k']).model)).toBe(text(at));
  });
});

describe('a decision', () => {
  test('a approves the shown gate, and the next one opens, which takes decisions after a look', () => {
    const { model, commands } = press({ ...shown(), history: [{ screen: 'runs' }] }, 'a');
    const command = decisionOf(commands);
    expect(command?.params).toEqual({ approvalId: ID, action: 'approve' });
    const next = command?.then(model, answered(command)).model;
    if (!next) throw new Error('nothing was decided');
    expect(next.place).toEqual({ screen: 'approval', id: '22222222-next' });
    expect(toasts(next)).toEqual(['Approved: spec_approved (spec) of run aaaaaaaa. "Plan the work" begins.']);
    const ready = read(next, { ...answers(), 'approval.get 22222222-next': detail('22222222-next') });
    expect(press(ready, 'a').commands).toEqual([]);
    expect(decisionOf(press(ready, 'a', 1500).commands)?.params.approvalId).toBe('22222222-next');
    expect(press(ready, 'escape').model.place).toEqual({ screen: 'runs' });
  });

  test('no other gate opens under a window that the person opened meanwhile', () => {
    const { model, commands } = press(shown(), ['a', '?']);
    const command = decisionOf(commands);
    expect(command?.then(model, answered(command)).model).toMatchObject({
      place: { screen: 'approval', id: ID },
      overlay: { kind: 'help' },
    });
  });

  test('a gate that has just appeared takes no decision for a second', () => {
    const next = press(shown(), ']').model;
    const ready = read(next, { ...answers(), 'approval.get 22222222-next': detail('22222222-next') });
    expect(press(ready, 'a').commands).toEqual([]);
    expect(decisionOf(press(ready, 'a', 1500).commands)?.params.approvalId).toBe('22222222-next');
  });

  test('the second begins once the gate is read', () => {
    const next = press(shown(), ']').model;
    const waited = update(next, { type: 'tick' }, next.now + 900).model;
    const ready = read(waited, { ...answers(), 'approval.get 22222222-next': detail('22222222-next') });
    expect(press(ready, 'a', 900).commands).toEqual([]);
    expect(decisionOf(press(ready, 'a', 1_100).commands)?.params.approvalId).toBe('22222222-next');
  });

  test('goes back to where the person was, or to the approvals', () => {
    const only = { 'approval.list pending': [gate(ID)] };
    const at = shown(full, undefined, only);
    const command = decisionOf(press(at, 'a').commands);
    expect(command?.then(at, answered(command)).model.place).toEqual({ screen: 'approvals' });
    const from = { ...at, history: [{ screen: 'runs' } as const] };
    expect(command?.then(from, answered(command)).model.place).toEqual({ screen: 'runs' });
    const elsewhere = { ...at, place: { screen: 'sessions' } as const };
    expect(command?.then(elsewhere, answered(command)).model.place).toEqual({ screen: 'sessions' });
  });

  test('c asks for a comment and sends nothing without one', () => {
    const typing = press(shown(), ['c', ...'in German']).model;
    expect(press(press(shown(), 'c').model, 'enter').commands).toEqual([]);
    const command = decisionOf(press(typing, 'enter').commands);
    expect(command?.params).toEqual({ approvalId: ID, action: 'request_changes', comment: 'in German' });
    expect(press(typing, 'escape').model.overlay).toBeUndefined();
  });

  const inEditor = (model: Model, id: string) => {
    const binding = decisionBindings.find((each) => each.id === id);
    expect(binding?.keys).toEqual([]);
    return binding?.run(model).commands ?? [];
  };

  test.each([['approval.changesInEditor', 'request_changes'] as const, ['approval.rejectInEditor', 'reject'] as const])(
    '%s opens the editor with what is under decision below the scissors, and sends the text above them',
    (id, action) => {
      const [edit] = inEditor(shown(), id);
      if (edit?.type !== 'edit') throw new Error('no editor');
      expect(edit.text).toMatch(new RegExp(`^\\n${SCISSORS}\\n`));
      expect(edit.text).toContain('Greet by name');
      const written = (text: string) => edit.then(shown(), edit.text.replace(/^\n/, text));
      const sure = (step: Step) => (action === 'reject' ? press(step.model, 'y') : step);
      expect(decisionOf(sure(written('# Much\n\n> 1 < 2\n')).commands)?.params).toMatchObject({
        action,
        comment: '# Much\n\n> 1 < 2',
      });
      const none = edit.then(shown(), edit.text);
      expect(none.commands).toEqual([]);
      expect(none.model.overlay).toBeUndefined();
      expect(toasts(none.model)).toEqual(['The comment is empty. Nothing was sent.']);
    },
  );

  test('sends nothing if the scissors are missing, and keeps the text', () => {
    const [edit] = inEditor(shown(), 'approval.changesInEditor');
    if (edit?.type !== 'edit') throw new Error('no editor');
    const lost = edit.then(shown(), 'All of it is wrong.\n');
    expect(lost.commands).toEqual([]);
    expect(toasts(lost.model)[0]).toContain('Nothing was sent; your text is kept.');
    const [again] = inEditor(lost.model, 'approval.changesInEditor');
    expect(again).toMatchObject({ type: 'edit', text: expect.stringMatching(/^All of it is wrong\.\n\n-+ >8 -+\n/) });
  });

  test.each([
    ['R', 'reject', 'Reject spec_approved (spec)?'],
    ['X', 'abort', 'Abort run aaaaaaaa?'],
  ])('%s needs a second key', (key, action, question) => {
    const { model, commands } = press(shown(), key);
    expect(commands).toEqual([]);
    expect(model.overlay).toMatchObject({ kind: 'confirm', question });
    expect(press(model, 'n')).toMatchObject({ commands: [], model: { overlay: undefined } });
    expect(decisionOf(press(model, 'y').commands)?.params).toEqual({ approvalId: ID, action });
  });

  test('says that another decision came first', () => {
    const command = decisionOf(press(shown(), 'a').commands);
    const error = { code: 'decision_conflict', message: `Approval ${ID} is rejected (reject at noon).` };
    const after = command?.failed?.(shown(), error).model;
    expect(after && toasts(after)).toEqual(['Too late: Approval 11111111 is rejected (reject at noon).']);
    expect(after?.place.id).toBe(ID);
    const gone = command?.failed?.(shown(), { code: 'internal', message: 'It broke.' }).model;
    expect(gone && toasts(gone)).toEqual(['It broke.']);
  });

  test.each([
    [{ state: 'approved' as const, actions: [] }, 'a', 'approve: the gate is already decided: approved.'],
    [{ state: 'paused' as const, actions: [] }, 'R', 'reject: the gate timed out; resume the run first.'],
    [{ actions: [] }, 'c', 'changes: the run is paused; resume it first.'],
    [
      { kind: 'cleanup' as const, actions: ['approve' as const, 'reject' as const] },
      'X',
      'abort run: this gate takes only approve or reject.',
    ],
  ])('says why a decision is not possible: %j', (more, key, why) => {
    const { model, commands } = press(shown(detail(ID, more)), key);
    expect(commands).toEqual([]);
    expect(toasts(model)).toEqual([why]);
  });

  test('is not possible without a daemon or during another decision', () => {
    const away = { ...shown(), link: { state: 'away', since: 0 } as const };
    expect(toasts(press(away, 'a').model)).toEqual(['approve: the daemon is not running.']);
    const busy = update(shown(), { type: 'commandStarted', doing: 'deciding' }, shown().now).model;
    expect(toasts(press(busy, 'a').model)).toEqual(['approve: another decision is in progress.']);
  });
});

test('opens the next gate, the run, the session and its pane', () => {
  expect(press(shown(), ']').model.place.id).toBe('22222222-next');
  expect(press(shown(), 'u').model.place).toEqual({ screen: 'run', id: RUN });
  expect(press(shown(), 's').model.place).toEqual({ screen: 'session', id: SESSION });
  expect(press(shown(), 'A').commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: false }]);
  const alone = shown(detail(ID), undefined, { 'approval.list pending': [gate(ID)] });
  expect(toasts(press(alone, [']', 's', 'A']).model)).toEqual([
    'next gate: no other gate waits for you.',
    'session: the gate has no session.',
    'attach: no session is selected.',
  ]);
  expect(rows(alone).length).toBeGreaterThan(2);
});
