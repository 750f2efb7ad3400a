import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSource } from '../../../daemon/contracts/findSource.ts';
import type { DevflowError } from '../../../schemas/errors.ts';
import { codeOf, givenDirectories } from './givenDirectories.ts';

const POINTER = '_docs/_autodev_state.md';
const TEXT = `# Autodev State
## Current Step
flow: greenfield
step: 3
name: Plan
status: in_progress
sub_step:
  phase: 4
  name: architecture-review
  detail: ""
retry_count: 0
cycle: 1
`;
const AT_PLAN = [
  ...['problem', 'restrictions', 'acceptance_criteria'].map((name) => `_docs/00_problem/${name}.md`),
  '_docs/00_problem/input_data/a.csv',
  '_docs/01_solution/solution.md',
];

function given(files: Record<string, string | Buffer> = {}, isInUse = false) {
  const logged: unknown[] = [];
  const ports = {
    now: () => 0,
    isInUse: async () => isInUse,
    warn: (message: string, facts: object) => logged.push([message, facts]),
  };
  const { repo, outside, call } = givenDirectories('autodev', ports);
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  const read = () => readFileSync(join(repo, POINTER), 'utf8');
  return { repo, outside, write, call, read, logged };
}

function files(...paths: string[]): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, 'x']));
}

describe('AD-3: the pointer', () => {
  it('is not made by looking', async () => {
    const { repo, call } = given(files('src/a.ts'));
    for (const method of ['autodev.show', 'autodev.detect', 'autodev.reconcile', 'autodev.flows'] as const) {
      await call(method);
    }
    expect(await codeOf(call('autodev.record', { event: 'started' }))).toBe('contract_not_found');
    expect(readdirSync(repo)).toEqual(['src']);
  });
  it('is made by the first reconcile --apply, which changes nothing the second time', async () => {
    const { call, read, repo } = given(files(...AT_PLAN));
    const first = await call('autodev.reconcile', { apply: true });
    expect(first.parsed).toMatchObject({ source: 'folder-scan', reason: 'missing', written: true });
    const text = read();
    expect(text).toContain('step: 3\nname: Plan\nstatus: not_started\n');
    const second = await call('autodev.reconcile', { apply: true });
    expect(second.parsed).toMatchObject({ source: 'state-file', written: false, pointer: first.parsed.pointer });
    expect(read()).toBe(text);
    expect(readdirSync(join(repo, '_docs'))).not.toContainEqual(expect.stringContaining('.tmp'));
    expect(lstatSync(join(repo, POINTER)).mode & 0o777).toBe(0o644);
  });
  it('stays in its place through a whole flow', async () => {
    const { call, read } = given({ [POINTER]: TEXT.replace('status: in_progress', 'status: completed') });
    const seen = new Set<string>();
    for (let steps = 0; steps < 9; steps += 1) {
      await call('autodev.record', { event: 'started' });
      const { left } = await call('autodev.record', { event: 'completed' });
      seen.add(left.name);
      expect((await call('autodev.show')).valid).toBe(true);
    }
    expect([...seen].at(-1)).toBe('Retrospective');
    expect(read()).toContain('step: done\nname: Done\nstatus: completed\n');
    expect(await codeOf(call('autodev.record', { event: 'started' }))).toBe('autodev_done');
  });
});

describe('AD-31: a flow that is done', () => {
  const DONE = TEXT.replace('step: 3\nname: Plan\nstatus: in_progress', 'step: done\nname: Done\nstatus: completed');
  const IMPLEMENTED = [
    ...AT_PLAN,
    '_docs/02_document/architecture.md',
    '_docs/02_tasks/done/1.md',
    '_docs/03_implementation/implementation_report_a.md',
    'src/a.ts',
  ];
  it('goes on as the next flow when its next step is started', async () => {
    const { call, read } = given({ ...files(...IMPLEMENTED), [POINTER]: DONE });
    await call('autodev.record', { event: 'started' });
    expect(read()).toContain('flow: existing-code\nstep: 2\nname: Architecture Baseline Scan\nstatus: in_progress\n');
    expect((await call('autodev.show')).warnings).toEqual([]);
  });
  it('goes on by reconcile, too', async () => {
    const { call, read } = given({ ...files(...IMPLEMENTED), [POINTER]: DONE });
    expect((await call('autodev.reconcile', { apply: true })).parsed).toMatchObject({ reason: 'flow', written: true });
    expect(read()).toContain('flow: existing-code\nstep: 2\n');
    expect((await call('autodev.reconcile')).parsed.source).toBe('state-file');
  });
  it('takes no other event', async () => {
    const { call } = given({ ...files(...IMPLEMENTED), [POINTER]: DONE });
    for (const event of ['completed', 'skipped', 'retry-failed'])
      expect(await codeOf(call('autodev.record', { event }))).toBe('autodev_done');
  });
});

describe('AD-30: the review of a configuration', () => {
  const REVIEW = TEXT.replace('flow: greenfield\nstep: 3\nname: Plan', 'flow: meta-repo\nstep: 2\nname: Config Review');
  it.each(['confirmed_by_user: false\n', 'a: [', ''])('is not done with %j', async (config) => {
    const { call, read } = given({ '_docs/_repo-config.yaml': config, [POINTER]: REVIEW });
    expect(await codeOf(call('autodev.record', { event: 'completed' }))).toBe('autodev_transition');
    expect(read()).toBe(REVIEW);
  });
  it('is done once a person has confirmed it', async () => {
    const { call, read } = given({ '_docs/_repo-config.yaml': 'confirmed_by_user: true\n', [POINTER]: REVIEW });
    await call('autodev.record', { event: 'completed' });
    expect(read()).toContain('step: 3\nname: Status\nstatus: not_started\n');
  });
});

describe('AD-22: reconcile', () => {
  it('writes only with --apply', async () => {
    const { call, read } = given({
      ...files(...AT_PLAN),
      [POINTER]: TEXT.replace('step: 3\nname: Plan', 'step: 6\nname: Implement'),
    });
    const before = read();
    const dry = await call('autodev.reconcile');
    expect(dry).toMatchObject({ warnings: [{ code: 'AUTODEV_DISAGREES' }], parsed: { written: false } });
    expect(read()).toBe(before);
    const applied = await call('autodev.reconcile', { apply: true });
    expect(applied).toEqual({ ...dry, parsed: { ...dry.parsed, written: true } });
    expect(read()).toContain('step: 3\nname: Plan\nstatus: not_started\n');
  });
});

describe('AD-15: a pointer that cannot be parsed', () => {
  it('is logged by the daemon', async () => {
    const { call, logged, repo } = given({ ...files(...AT_PLAN), [POINTER]: 'Step 3, I think.\n' });
    const { warnings, parsed } = await call('autodev.reconcile', { apply: true });
    expect(warnings).toMatchObject([{ code: 'AUTODEV_PARSE_ERROR' }]);
    expect(parsed).toMatchObject({ reason: 'unreadable', written: true, pointer: { step: 3 } });
    expect(logged).toEqual([['a pointer cannot be read', { repo, findings: warnings }]]);
  });
});

describe('AD-32: a write', () => {
  it.each(['"', 'a \'b\' "c": d # e', 'line\nline\r\n\tend', '\\', '```\n## Current Step\nflow: x', '\u2028\0😀'])(
    'reads back the detail %j',
    async (detail) => {
      const { call } = given({ ...files(...AT_PLAN), [POINTER]: TEXT });
      const recorded = await call('autodev.record', { event: 'sub-step', phase: 5, name: 'a', detail });
      const shown = await call('autodev.show');
      expect(shown).toMatchObject({ valid: true, warnings: [], parsed: { pointer: recorded.pointer } });
      expect(shown.parsed.pointer.sub_step).toEqual({ phase: 5, name: 'a', detail });
    },
  );
  it('keeps what a person wrote below, and restores the indentation', async () => {
    const text = `${TEXT.replaceAll('\n  ', '\n')}\n## Notes\nAsk Ann.\n`;
    const { call, read } = given({ ...files(...AT_PLAN), [POINTER]: text });
    expect((await call('autodev.show')).warnings).toMatchObject([{ code: 'AUTODEV_FLAT_SUBSTEP' }]);
    await call('autodev.record', { event: 'sub-step', phase: 5, name: 'architecture-review' });
    expect(read()).toBe(`${TEXT.replace('phase: 4', 'phase: 5')}\n## Notes\nAsk Ann.\n`);
  });
  it('is refused in the worktree of a run, and the file stays', async () => {
    const { call, read, repo } = given({ ...files(...AT_PLAN), [POINTER]: TEXT }, true);
    expect(await codeOf(call('autodev.record', { event: 'completed' }))).toBe('contract_in_use');
    expect(read()).toBe(TEXT);
    rmSync(join(repo, POINTER));
    expect(await codeOf(call('autodev.reconcile', { apply: true }))).toBe('contract_in_use');
    expect(existsSync(join(repo, POINTER))).toBe(false);
    expect((await call('autodev.reconcile')).parsed.reason).toBe('missing');
  });
  it('comes whole from each of many callers', async () => {
    const { call } = given({ [POINTER]: TEXT });
    const names = Array.from({ length: 20 }, (_, at) => `batch ${at}`);
    const event = { event: 'sub-step', phase: 4, name: 'architecture-review' };
    await Promise.all(names.map((detail) => call('autodev.record', { ...event, detail })));
    const { valid, parsed } = await call('autodev.show');
    expect(valid).toBe(true);
    expect(names).toContain(parsed.pointer.sub_step.detail);
  });
});

describe('a refused event', () => {
  it('leaves the file as it is (AD-24)', async () => {
    const { call, read } = given({ [POINTER]: TEXT });
    for (const [params, code] of [
      [{ event: 'started' }, 'autodev_transition'],
      [{ event: 'skipped' }, 'autodev_step_not_optional'],
      [{ event: 'sub-step', phase: 6, name: 'a' }, 'autodev_substep_not_monotonic'],
      [{ event: 'sub-step', phase: 5, name: 'awaiting-invocation' }, 'autodev_substep_reserved'],
      [{ event: 'gone' }, 'usage'],
    ] as const) {
      expect(await codeOf(call('autodev.record', params))).toBe(code);
      expect(read()).toBe(TEXT);
    }
  });
  it('names what is wrong with a pointer that is not valid', async () => {
    const { call, read } = given({ [POINTER]: TEXT.replace('step: 3', 'step: 30') });
    const error = await call('autodev.record', { event: 'completed' }).catch((each: DevflowError) => each);
    expect(error).toMatchObject({ code: 'contract_invalid', data: { errors: [{ code: 'AUTODEV_INVALID_STEP' }] } });
    expect(read()).toContain('step: 30');
  });
});

describe('contract detect and check', () => {
  it('cover the pointer', async () => {
    const { call } = given({ [POINTER]: TEXT.replace('flow: greenfield', 'flow: other') });
    expect(await call('contract.detect')).toEqual([{ contract: 'autodev/state@1', path: POINTER }]);
    expect(await call('contract.check')).toMatchObject({
      valid: false,
      errors: [{ code: 'AUTODEV_INVALID_FLOW', path: POINTER }],
      parsed: { reports: [{ contract: 'autodev/state@1', subject: POINTER, valid: false, errors: 1, warnings: 0 }] },
    });
  });
  it('find nothing in an empty repository', async () => {
    const { call } = given();
    expect(await call('contract.detect')).toEqual([]);
  });
});

describe('a hostile repository', () => {
  it('has a link for a pointer: neither read nor written', async () => {
    const { repo, outside, call } = given(files(...AT_PLAN));
    writeFileSync(join(outside, 'secret.md'), TEXT);
    symlinkSync(join(outside, 'secret.md'), join(repo, POINTER));
    expect((await call('autodev.show')).errors).toMatchObject([{ code: 'AUTODEV_PARSE_ERROR' }]);
    expect(await codeOf(call('autodev.record', { event: 'completed' }))).toBe('contract_invalid');
    expect(await codeOf(call('autodev.reconcile', { apply: true }))).toBe('path_unsafe');
    expect(readFileSync(join(outside, 'secret.md'), 'utf8')).toBe(TEXT);
    expect(lstatSync(join(repo, POINTER)).isSymbolicLink()).toBe(true);
  });
  it('has a link for _docs: nothing outside is touched', async () => {
    const { repo, outside, call } = given();
    mkdirSync(join(outside, '00_problem'));
    writeFileSync(join(outside, '_autodev_state.md'), TEXT);
    symlinkSync(outside, join(repo, '_docs'));
    expect((await call('autodev.show')).errors).toMatchObject([{ code: 'AUTODEV_NOT_FOUND' }]);
    expect(await codeOf(call('autodev.reconcile', { apply: true }))).toBe('path_unsafe');
    expect(readdirSync(outside).sort()).toEqual(['00_problem', '_autodev_state.md']);
    expect(readFileSync(join(outside, '_autodev_state.md'), 'utf8')).toBe(TEXT);
  });
  it.each(['dir', 'fifo'])('has a %s for a pointer', async (kind) => {
    const { repo, call } = given(files(...AT_PLAN));
    if (kind === 'dir') mkdirSync(join(repo, POINTER));
    else execFileSync('mkfifo', [join(repo, POINTER)]);
    expect((await call('autodev.show')).errors).toMatchObject([{ code: 'AUTODEV_PARSE_ERROR' }]);
    expect(await codeOf(call('autodev.reconcile', { apply: true }))).toBe('path_unsafe');
  });
  it('has a pointer of 100 MB', async () => {
    const { repo, call, read } = given({ ...files(...AT_PLAN), [POINTER]: TEXT });
    truncateSync(join(repo, POINTER), 100_000_000);
    const { errors } = await call('autodev.show');
    expect(errors).toMatchObject([{ code: 'AUTODEV_PARSE_ERROR', message: expect.stringContaining('larger than') }]);
    expect((await call('autodev.reconcile', { apply: true })).parsed.written).toBe(true);
    expect(read().length).toBeLessThan(1000);
  });
  it.each([
    ['a million headings', '## Current Step\n'.repeat(900_000)],
    ['a million lines without a field', `${TEXT.replace('cycle: 1\n', '')}${'x\n'.repeat(1_000_000)}`],
    ['a million fields', `${TEXT}${'step: 3\n'.repeat(1_000_000)}`],
    ['a line of 10 MB', `${TEXT.replace('detail: ""', `detail: "${'a\\'.repeat(5_000_000)}`)}`],
    ['a name of 10 MB', TEXT.replace('architecture-review', 'a-'.repeat(5_000_000))],
    [
      'a valid name of 10 MB',
      TEXT.replace('architecture-review', `${'a-'.repeat(5_000_000)}a`).replace('cycle: 1', ''),
    ],
    ['blanks', `${TEXT.replace('cycle: 1', `cycle:${' '.repeat(5_000_000)}x`)}`],
    ['braces', TEXT.replace(/sub_step:\n.*\n.*\n.*/, `sub_step: ${'{a: '.repeat(2_000_000)}`)],
    ['keys of prototypes', TEXT.replace('flow: greenfield', 'flow: constructor\n__proto__: 1\nconstructor: 2')],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from(TEXT.slice(0, 60)), Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0])]),
    ],
    ['NUL bytes', '\0'.repeat(1000)],
  ])('has a pointer with %s', async (_, text) => {
    const { call } = given({ ...files(...AT_PLAN), [POINTER]: text });
    const { valid, errors } = await call('autodev.show');
    expect(valid).toBe(false);
    expect(errors.length).toBeLessThan(30);
    for (const { message } of errors) expect(message.length).toBeLessThan(300);
    const { parsed } = await call('autodev.reconcile', { apply: true });
    expect(parsed).toMatchObject({ reason: 'unreadable', written: true, pointer: { step: 3 } });
    expect((await call('autodev.show')).valid).toBe(true);
  });
  it('has a large state file, configuration and workspace', async () => {
    const { call } = given({
      '_docs/02_document/state.json': '['.repeat(2_000_000),
      '_docs/_repo-config.yaml': `a: ${'['.repeat(2_000_000)}`,
      'package.json': '['.repeat(2_000_000),
      'Cargo.toml': '[workspace\n'.repeat(500_000),
      [POINTER]: TEXT.replace('greenfield', 'existing-code').replace('step: 3', 'step: 1').replace('Plan', 'Document'),
    });
    const codes = (await call('autodev.show')).warnings.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(['AUTODEV_DISAGREES', 'AUTODEV_INTERNAL_STATE_UNREADABLE']);
    expect((await call('autodev.detect')).rule).toBe('config-unconfirmed');
  });
  it('has links where folders are scanned: none counts', async () => {
    const { repo, outside, call } = given(files(...AT_PLAN.slice(0, 3), '_docs/01_solution/solution.md'));
    writeFileSync(join(outside, 'a.csv'), 'x');
    writeFileSync(join(outside, 'main.ts'), 'x');
    mkdirSync(join(repo, '_docs/00_problem/input_data'));
    symlinkSync(join(outside, 'a.csv'), join(repo, '_docs/00_problem/input_data/a.csv'));
    symlinkSync(outside, join(repo, 'src'));
    symlinkSync(repo, join(repo, 'loop'));
    expect(await call('autodev.detect')).toMatchObject({ flow: 'greenfield', step: 1, rule: 'problem-incomplete' });
    rmSync(join(repo, '_docs/00_problem/input_data'), { recursive: true });
    symlinkSync(outside, join(repo, '_docs/00_problem/input_data'));
    expect(await call('autodev.detect')).toMatchObject({ step: 1 });
  });
  it('has names with newlines and many files', async () => {
    const { call, write } = given(files(...AT_PLAN, '_docs/02_document/architecture.md'));
    write('_docs/02_tasks/todo/a\nb.md', 'x');
    write('_docs/03_implementation/implementation_report_\n_cycle9\n.md', '');
    for (let at = 0; at < 500; at += 1) write(`_docs/02_tasks/done/${at}.txt`, '');
    expect(await call('autodev.detect')).toMatchObject({ step: 6, rule: 'not-implemented' });
  });
});

describe('source code', () => {
  it.each([
    [['src/notes.txt'], 'src/notes.txt'],
    [['app/deep/er/main.py', 'README.md'], 'app/deep/er/main.py'],
    [['main.go'], 'main.go'],
    [['README.md', 'package.json', '.eslintrc.js'], null],
    [['node_modules/a/index.js', 'dist/a.js', '.git/hooks/a.py', '_docs/a.py', 'src/.gitkeep'], null],
  ])('of %j is %j', (paths, found) => {
    const { repo } = given(files(...paths));
    expect(findSource(repo)).toBe(found);
  });
  it('is found beside a directory with more files than are looked at', () => {
    const { repo } = given(files('data/0.txt', 'src/main.ts'));
    for (let nth = 1; nth <= 20_000; nth += 1) linkSync(join(repo, 'data/0.txt'), join(repo, `data/${nth}.txt`));
    expect(findSource(repo)).toBe('src/main.ts');
  });
  it('is not looked for in too many files', () => {
    const { repo, write } = given();
    for (const directory of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) write(`${directory}/x.txt`, '');
    write('a/b/c/d/e/f/g/main.ts', 'x');
    expect(findSource(repo)).toBeNull();
    expect(findSource(join(repo, 'nowhere'))).toBeNull();
  });
});
