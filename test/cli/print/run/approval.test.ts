import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { printApproval, printDocuments } from '../../../../cli/print/run/approval.ts';
import { GateKind } from '../../../../schemas/enums.ts';
import type { ApprovalDetail } from '../../../../schemas/rpc/views/approval.ts';
import { textOf } from '../../../../tui/text/line.ts';
import { codeDiffLines } from '../../../../tui/widgets/diff.ts';
import { fakeIo } from '../../fakeIo.ts';

const ANSWERED: ApprovalDetail = {
  id: 'gate',
  runId: 'run',
  runTitle: 'Greet by name',
  gateKey: 'agent_asks',
  kind: 'agent',
  phaseKey: 'spec',
  assignment: null,
  laneId: null,
  attempt: 1,
  state: 'aborted',
  createdAt: '2026-01-01T00:00:00.000Z',
  resolvedAt: '2026-01-01T00:01:00.000Z',
  question: 'planner (fake) asks.',
  artifactHash: null,
  timeoutMs: null,
  subject: {},
  actions: [],
  artifacts: [],
  diff: null,
  uncommittedFiles: null,
  commands: [],
  sessionIds: [],
  decisions: [],
};
const ABORTED = { decisionId: 'it', action: 'abort', comment: null, decidedAt: '2026-01-01T00:01:00.000Z' } as const;

test.each([
  ['an agent that was answered in its pane', ANSWERED, 'closed'],
  ['one at which the run was aborted', { ...ANSWERED, decisions: [ABORTED] }, 'aborted'],
])('the gate of %s', (_, approval, state) => {
  const io = fakeIo();
  printApproval(io, approval);
  expect(io.written.out).toMatch(new RegExp(`^state +${state}$`, 'm'));
});

test.each([...GateKind.options, 'of_a_newer_daemon'] as GateKind[])('a gate of kind %s is printed in words', (kind) => {
  const io = fakeIo();
  printApproval(io, { ...ANSWERED, kind });
  expect(io.written.out).not.toContain('undefined');
});

test('a gate names the repositories that its commit leaves out, on one line', () => {
  const io = fakeIo();
  printApproval(io, { ...ANSWERED, kind: 'gate', nestedRepositories: ['vendor/lib', 'odd\nname'] });
  expect(io.written.out).toContain('! Git repositories left out of the commit: vendor/lib, odd␊name\n');
});

test('a gate lists all tasks that were not done, each on one line', () => {
  const io = fakeIo();
  const facts = { phaseKey: 'build', laneId: null, why: 'it builds on T1' };
  const notDone = ['T2', 'T3', 'T4', 'T5'].map((taskId) => ({ ...facts, taskId, title: 'Log\nin' }));
  printApproval(io, { ...ANSWERED, kind: 'gate', subject: { notDone } });
  expect(io.written.out).toMatch(/! Not done: T2 Log␊in \(it builds on T1\)\n(.*\n){2}! Not done: T5 Log/);
});

test('a gate after a failed command shows the hint, and where its output is', () => {
  const io = fakeIo();
  const ended = {
    startedAt: ANSWERED.createdAt,
    endedAt: ANSWERED.createdAt,
    phaseKey: 'verify',
    attempt: 1,
    index: 0,
  };
  const command = {
    ...ended,
    commandId: 'one',
    kind: 'test' as const,
    argv: ['npm', 'test'],
    cwd: '/w',
    reason: 'exit 1',
  };
  const commands = [{ ...command, exitCode: 1, stdoutPath: '/w/out', stderrPath: '/w/err' }];
  printApproval(io, { ...ANSWERED, kind: 'recovery', subject: { recoveryHint: 'Fix the command.' }, commands });
  expect(io.written.out).toMatch(/^hint: Fix the command\.$/m);
  expect(io.written.out).toMatch(/✗ npm test\n {2}exit 1.*\n[\s\S]*\n {2}\/w\/out\n {2}\/w\/err\n/);
});

test('a gate does not repeat the reason that its question has', () => {
  const io = fakeIo();
  const [reason, question] = ['the artifact is invalid', 'draft, planner: the artifact is invalid. Try again?'];
  printApproval(io, { ...ANSWERED, kind: 'recovery', question, subject: { reason, code: 'artifact_invalid' } });
  expect(io.written.out).not.toMatch(/^reason/m);
  expect(io.written.out).toMatch(/^error: artifact_invalid$/m);
});

test('a session boundary asks its shared question line by line', () => {
  const io = fakeIo();
  const question = `══\nDECISION REQUIRED: Plan — start Build?\n══\nA) Start a new conversation`;
  printApproval(io, { ...ANSWERED, kind: 'gate', gateKey: 'session_boundary', question });
  expect(io.written.out).toContain(`\n\n${question}\n`);
  expect(io.written.out).not.toMatch(/␊|^question/m);
});

test('a gate of open iterations names every issue', () => {
  const io = fakeIo();
  const issues = ['login fails', 'log\nout fails'];
  printApproval(io, { ...ANSWERED, kind: 'recovery', gateKey: 'iterations_exhausted', subject: { issues } });
  expect(io.written.out).toMatch(/\n• login fails\n• log␊out fails\n/);
});

test('an invalid artifact shows the line and the code of each error', () => {
  const io = fakeIo();
  const error = { path: '', message: 'there is no ### Step 2:', code: 'PLAN_STEP_NUMBERING', line: 12 };
  const artifact = { artifactId: 'a', schema: 'handover/plan@1', path: 'plan.md', content: '# Plan', errors: [error] };
  printApproval(io, { ...ANSWERED, kind: 'recovery', artifacts: [artifact as never] });
  expect(io.written.out).toContain('\nline 12: there is no ### Step 2: [PLAN_STEP_NUMBERING]\nPlan\n');
});

test('a gate shows its findings by line, each on one line', () => {
  const io = fakeIo();
  const findings = [
    { path: 'plan.md', message: 'a step\nhas no files', code: 'PLAN_STEP_FILES', line: 12 },
    { path: 'plan.md', message: 'the goal is missing' },
  ];
  printApproval(io, { ...ANSWERED, kind: 'gate', subject: { findings } });
  expect(io.written.out).toMatch(
    /\n• plan\.md:12: a step␊has no files \[PLAN_STEP_FILES\]\n• plan\.md: the goal is missing\n/,
  );
});

test('a gate shows a command that the policy blocked as blocked, and why', () => {
  const io = fakeIo();
  const reason = 'blocked by policy: git clean deletes untracked files, which git cannot restore';
  const command = {
    commandId: 'c',
    phaseKey: 'verify',
    attempt: 1,
    index: 0,
    kind: 'test' as const,
    argv: ['git', 'clean'],
    cwd: '/w',
    exitCode: null,
    reason,
    stdoutPath: null,
    stderrPath: null,
    startedAt: ABORTED.decidedAt,
    endedAt: ABORTED.decidedAt,
  };
  printApproval(io, { ...ANSWERED, kind: 'gate', commands: [command] });
  expect(io.written.out).toMatch(/^✗ git clean$/m);
  expect(io.written.out).toContain(reason);
});

test('a gate shows that the branch has moved since', () => {
  const io = fakeIo();
  printApproval(io, {
    ...ANSWERED,
    kind: 'gate',
    moved: 'The branch moved from aaa to bbb since this gate was asked.',
  });
  expect(io.written.out).toContain('The branch moved from aaa to bbb since this gate was asked.');
});

/** Each line hides its second half from a terminal that takes it as it is. */
const HOSTILE = [
  '+safe();\u001b]0;evil();\u0007',
  '+safe();\u001b]8;;http://evil()\u001b\\ok',
  '+safe();\u001b]52;c;evil()\u0007',
  '+evil();\rsafe();',
  '+evil();\b\b\b\b\b\b\b safe',
  '+evil();\u001b[1K\u001b[8mx',
  '+safe(); \u202e;)(live\u202c',
  '+safe();\u2028evil();',
  '+sa\u200bfe();\u{e0065}\u{e0076}',
];
const SEEN = [
  '+safe();␛]0;evil();␇',
  '+safe();␛]8;;http://evil()␛\\ok',
  '+safe();␛]52;c;evil()␇',
  '+evil();␍safe();',
  '+evil();␈␈␈␈␈␈␈ safe',
  '+evil();␛[1K␛[8mx',
  '+safe(); <U+202E>;)(live<U+202C>',
  '+safe();<U+2028>evil();',
  '+sa<U+200B>fe();<U+E0065><U+E0076>',
];
const diff = { base: 'a', head: 'b', files: [{ path: 'x\u202e.ts', insertions: 9, deletions: 0 }], truncated: false };
const CHANGED: ApprovalDetail = { ...ANSWERED, diff: { ...diff, patch: `${HOSTILE.join('\n')}\n` } };

test.each([true, false])(
  'a terminal shows all of a diff that would hide code from it, with colours %s',
  async (color) => {
    const io = fakeIo({ color, columns: 100 });
    printApproval(io, CHANGED);
    const shown = await onTerminal(io.written.out);
    for (const line of SEEN) expect(shown).toContain(`  ${line}`);
    expect(shown).toContain('x<U+202E>.ts  +9 −0');
  },
);

test('the dashboard shows the same lines', () => {
  const lines = codeDiffLines({ ...diff, patch: HOSTILE.join('\n') }).map(textOf);
  expect(lines).toEqual(expect.arrayContaining(SEEN));
});

test('shows artifacts and commands completely', async () => {
  const io = fakeIo({ columns: 40 });
  const argv = ['sh', '-c', `${'true;'.repeat(20)}\n\u001b[2Jrm -rf x`];
  const content = 'one\u001b[1A\u001b[2Ktwo\r\n\u2066three';
  const artifact = { artifactId: 'a', path: 'a\u001b[2J.md', schema: 'dev/plan@1', errors: [], content };
  printApproval(io, {
    ...ANSWERED,
    commands: [{ argv, exitCode: 0, startedAt: null, endedAt: null }],
    artifacts: [artifact],
  } as unknown as ApprovalDetail);
  expect(io.written.out).toContain(`\none␛[1A␛[2Ktwo\n<U+2066>three\n`);
  expect(io.written.out).toContain('dev/plan@1  a␛[2J.md');
  expect(io.written.out).toContain('true;␊␛[2Jrm -rf x');
});

/** The rows of a terminal that was sent the text, as a reader sees them. */
async function onTerminal(text: string): Promise<string[]> {
  const { Terminal } = headless;
  const terminal = new Terminal({ cols: 100, rows: 60, allowProposedApi: true, convertEol: true });
  await new Promise<void>((done) => terminal.write(text, done));
  const { active } = terminal.buffer;
  return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
}

test('the gate of a set-up that failed shows the end of its output', () => {
  const io = fakeIo();
  const tail = 'npm error code E404\n\u001b[2Jnpm error 404';
  printApproval(io, {
    ...ANSWERED,
    gateKey: 'setup_failed',
    kind: 'recovery',
    subject: { why: 'npm ci: exit 1', tail },
  });
  expect(io.written.out).toContain('Last output:\n  npm error code E404\n  ␛[2Jnpm error 404\n');
});

test('--raw prints the documents as they are written, and nothing else', () => {
  const io = fakeIo();
  const artifact = {
    artifactId: 'art',
    runId: 'run',
    phaseKey: 'spec',
    roleId: 'planner',
    attempt: 1,
    path: '/w/spec.json',
    storedPath: null,
    schema: 'dev/spec@1',
    hash: 'abc',
    valid: true,
    createdAt: ANSWERED.createdAt,
    errors: [],
    content: '{\n  "title": "Greet\u001b[2J"\n}\n',
    truncated: false,
  };
  printDocuments(io, { ...ANSWERED, artifacts: [artifact] });
  expect(io.written.out).toBe('dev/spec@1  spec.json\n{\n  "title": "Greet␛[2J"\n}\n');
  printDocuments(io, ANSWERED);
  expect(io.written.out).toContain('The gate has no document.');
});
