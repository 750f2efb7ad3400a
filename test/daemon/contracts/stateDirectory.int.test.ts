import { execFile } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { applyPlans } from '../../../daemon/contracts/applyPlan.ts';
import { withLock } from '../../../daemon/contracts/stateDirectory.ts';
import { makePlan } from '../../../schemas/contracts/report/plan.ts';
import { codeOf, givenDirectories } from './givenDirectories.ts';

const STATE = '.devt/state';
const NOW = Date.parse('2026-06-09T12:30:00.123Z');
const DAY = 86_400_000;

function given(files: Record<string, string> | null = {}, isInUse = false) {
  const clock = { now: NOW };
  const ports = { now: () => clock.now, isInUse: async () => isInUse };
  const { root, repo, outside, call } = givenDirectories('state', ports);
  const state = join(repo, STATE);
  if (files) mkdirSync(state, { recursive: true });
  const write = (name: string, text: string, days = 0) => {
    mkdirSync(dirname(join(state, name)), { recursive: true });
    writeFileSync(join(state, name), text);
    utimesSync(join(state, name), (NOW - days * DAY) / 1000, (NOW - days * DAY) / 1000);
  };
  for (const [name, text] of Object.entries(files ?? {})) write(name, text);
  const list = (path = '') => readdirSync(join(state, path)).sort();
  return { root, repo, outside, state, write, call, list, clock };
}

/** The text of every file of the state directory, by name, wherever it is. */
function everything(state: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(state, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    expect(found).not.toHaveProperty([entry.name]);
    found[entry.name] = readFileSync(join(entry.parentPath, entry.name), 'utf8');
  }
  return found;
}

describe('without a state directory', () => {
  it('SD-1, SD-27: nothing is made, also with --apply', async () => {
    const { repo, call } = given(null);
    for (const method of ['state.cleanup', 'state.reset', 'state.evict'] as const) {
      expect(await call(method, { apply: true })).toMatchObject({ actions: [], archivePath: null });
    }
    for (const method of ['state.audit', 'state.validate'] as const) expect((await call(method)).valid).toBe(true);
    expect(await codeOf(call('state.read'))).toBe('contract_not_found');
    expect(readdirSync(repo)).toEqual([]);
  });
  it('SD-11: a link in its place is not followed', async () => {
    const { repo, outside, call } = given(null);
    writeFileSync(join(outside, 'foo.txt'), 'x');
    mkdirSync(join(repo, '.devt'));
    symlinkSync(outside, join(repo, STATE));
    expect((await call('state.reset', { apply: true })).actions).toEqual([]);
    expect((await call('state.audit')).parsed.stateDir).toBeNull();
    expect(await codeOf(call('state.update', { pairs: ['a=b'] }))).toBe('path_unsafe');
    expect(await codeOf(call('state.init', { type: 'dev', apply: true }))).toBe('path_unsafe');
    expect(readdirSync(outside)).toEqual(['foo.txt']);
  });
});

describe('cleanup', () => {
  it('SD-16: is a dry run that touches nothing', async () => {
    const { call, list } = given({ 'foo.txt': 'x', '.lock': `${process.ppid}` });
    expect(await call('state.cleanup')).toMatchObject({ applied: false, actions: [{ status: 'planned', to: null }] });
    expect(list()).toEqual(['.lock', 'foo.txt']);
  });
  it('SD-17: moves into a new directory, on a collision the next millisecond', async () => {
    const { call, list, write } = given({ 'foo.txt': 'a', 'plan.md': 'p' });
    const first = await call('state.cleanup', { apply: true });
    expect(first.archivePath).toBe(`${STATE}/.archive/cleanup-2026-06-09T12-30-00-123Z`);
    expect(first.actions).toMatchObject([{ status: 'done', to: `${first.archivePath}/foo.txt` }]);
    write('foo.txt', 'b');
    const second = await call('state.cleanup', { apply: true });
    expect(second.archivePath).toBe(`${STATE}/.archive/cleanup-2026-06-09T12-30-00-124Z`);
    expect(list()).toEqual(['.archive', 'plan.md']);
  });
  it('SD-20: with an empty plan makes no archive and prunes nothing', async () => {
    const { call, list } = given({ 'plan.md': 'p' });
    expect(await call('state.cleanup', { apply: true, archiveRuns: 0 })).toMatchObject({ applied: true, actions: [] });
    expect(list()).toEqual(['plan.md']);
  });
  it('SD-11: moves a link as a link, and names with strange characters', async () => {
    const { call, state, outside, write } = given();
    symlinkSync(outside, join(state, 'plan.md'));
    write('a\nb $(x)', 'x');
    const { archivePath, actions } = await call('state.cleanup', { apply: true });
    expect(actions).toHaveLength(2);
    expect(readlinkSync(join(dirname(dirname(state)), archivePath, 'plan.md'))).toBe(outside);
    expect(readdirSync(outside)).toEqual([]);
  });
  // macOS refuses such names.
  it.runIf(process.platform === 'linux')('SD-2, SD-18: moves a name that is not UTF-8, byte for byte', async () => {
    const { call, state } = given();
    const bytes = Buffer.from([0xff, 0xfe, 0x2e, 0x6d, 0x64]);
    const raw = (path: string) => Buffer.concat([Buffer.from(`${path}/`), bytes]);
    writeFileSync(raw(state), 'kept');
    const { parsed } = await call('state.audit');
    expect(parsed).toMatchObject({ counts: { ad_hoc: 1, total: 1 }, totalBytes: 4 });
    const { actions, archivePath } = await call('state.cleanup', { apply: true });
    expect(actions).toMatchObject([{ status: 'done' }]);
    expect(readFileSync(raw(join(dirname(dirname(state)), archivePath)), 'utf8')).toBe('kept');
  });
  it('SD-20, SD-22: that can move nothing leaves no archive, and prunes none', async () => {
    const { repo, list, write } = given({ 'plan.md': 'p' });
    write('.archive/2026-01-01T00-00-00-000Z/kept.md', 'k');
    const gone = { action: 'archive', path: `${STATE}/gone.txt`, reason: 'ad_hoc', bytes: 1 } as const;
    const plan = makePlan('devt/state-directory@1', STATE, [gone]);
    const [applied] = applyPlans(repo, [[plan, 'cleanup']], NOW, 1);
    expect(applied).toMatchObject({ archivePath: null, pruned: [], actions: [{ status: 'error', to: null }] });
    expect(list('.archive')).toEqual(['2026-01-01T00-00-00-000Z']);
  });
  it('does not archive through a link', async () => {
    const { call, state, outside, list } = given({ 'foo.txt': 'x' });
    symlinkSync(outside, join(state, '.archive'));
    expect(await codeOf(call('state.cleanup', { apply: true }))).toBe('path_unsafe');
    expect([list(), readdirSync(outside)]).toEqual([['.archive', 'foo.txt'], []]);
  });
  it('is refused while a run owns the directory', async () => {
    const { call, list } = given({ 'foo.txt': 'x' }, true);
    for (const method of ['state.cleanup', 'state.reset', 'state.evict'] as const) {
      expect(await codeOf(call(method, { apply: true }))).toBe('contract_in_use');
      expect((await call(method)).applied).toBe(false);
    }
    expect(await codeOf(call('state.update', { pairs: ['a=b'] }))).toBe('contract_in_use');
    expect(await codeOf(call('state.init', { type: 'dev', apply: true }))).toBe('contract_in_use');
    expect(list()).toEqual(['foo.txt']);
  });
});

describe('the archive', () => {
  it('keeps every byte, in the directory or in the archive', async () => {
    const name = fc
      .stringMatching(/^[a-z.~-]{1,12}$/)
      .filter((each) => !['.', '..', '.archive', '.lock'].includes(each));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, fc.string()),
        fc.constantFrom('state.cleanup', 'state.reset'),
        async (files, method) => {
          const { call, state } = given(files);
          const before = everything(state);
          const { actions } = await call(method as 'state.reset', { apply: true });
          expect(everything(state)).toEqual(before);
          expect(actions.filter(({ status }: { status: string }) => status !== 'done')).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });
  it.each([0, 1, 3, 6])(
    'has every file in exactly one of the two places if killed before move %d',
    async (killBefore) => {
      const files = Object.fromEntries([...'abcdef'].map((letter) => [`${letter}.txt`, `text of ${letter}`]));
      const { repo, state, call, list } = given(files);
      const program = join(import.meta.dirname, 'applyUntilKilled.ts');
      const ended = await promisify(execFile)(process.execPath, [program, repo, `${killBefore}`]).catch(
        (error) => error,
      );
      expect(ended.signal ?? null).toBe(killBefore < 6 ? 'SIGKILL' : null);
      expect(everything(state)).toEqual(files);
      expect(list().filter((name) => name.endsWith('.txt'))).toHaveLength(6 - killBefore);
      await call('state.reset', { apply: true });
      expect(everything(state)).toEqual(files);
      expect(list()).toEqual(['.archive']);
    },
  );
  it('SD-22, SD-23: is a ring by time that never drops what was just archived', async () => {
    const { call, list, write, clock } = given({ '.archive/mine/x': 'x' });
    for (let run = 0; run < 5; run += 1) {
      write('foo.txt', `${run}`);
      clock.now += 1000;
      await call('state.cleanup', { apply: true });
    }
    write('plan.md', 'p');
    clock.now += 1000;
    const { archivePath, pruned } = await call('state.reset', { apply: true });
    expect(pruned).toEqual(['cleanup-2026-06-09T12-30-01-123Z']);
    expect(list('.archive')).toContain(archivePath.split('/').at(-1));
    expect(list('.archive')).toHaveLength(6);
    write('foo.txt', 'x');
    const last = await call('state.cleanup', { apply: true, archiveRuns: 0 });
    expect(list('.archive')).toEqual([last.archivePath.split('/').at(-1), 'mine']);
    expect(await call('state.history')).toMatchObject([{ kind: 'cleanup', files: 1 }]);
  });
  it('SD-22: keeps as many as the configuration says', async () => {
    const { repo, call, list, write, clock } = given();
    writeFileSync(join(repo, '.devt/config.json'), '{"state":{"archive_runs":2}}');
    for (let run = 0; run < 4; run += 1) {
      write('foo.txt', `${run}`);
      clock.now += 1000;
      await call('state.cleanup', { apply: true });
    }
    expect(list('.archive')).toHaveLength(2);
  });
});

describe('reset', () => {
  it('SD-25, SD-26: spares logs, takes the rest, and SD-24 is a dry run', async () => {
    const { call, list, state } = given({
      'deferred.md': 'd',
      'workflow.yaml': 'task: t\nworkflow_type: dev\n',
      'a~': 'x',
    });
    mkdirSync(join(state, 'threads'));
    expect((await call('state.reset')).applied).toBe(false);
    expect(list()).toHaveLength(4);
    expect(await call('state.reset', { apply: true })).toMatchObject({ kept: ['deferred.md'], applied: true });
    expect(list()).toEqual(['.archive', 'deferred.md']);
    expect(await call('state.history', { limit: 1 })).toMatchObject([{ kind: 'reset', task: 't', files: 3 }]);
    expect(await call('state.reset', { apply: true })).toMatchObject({ actions: [], archivePath: null });
  });
});

describe('SD-28: the lock', () => {
  it('of a living process refuses after the wait, and stays', async () => {
    const { repo, list } = given({ '.lock': `${process.ppid}` });
    const refused = await withLock(repo, () => 1, 100).catch((error) => error);
    expect(refused).toMatchObject({ code: 'state_locked', exitCode: 5, data: { pid: process.ppid } });
    expect(list()).toEqual(['.lock']);
  });
  it.each(['999999999', 'soon', '', '{"pid":1}', `${process.pid}`])(
    'with %j is left over, and is taken',
    async (text) => {
      const { repo, list, state } = given({ '.lock': text });
      await withLock(repo, () => expect(readFileSync(join(state, '.lock'), 'utf8')).toBe(`${process.pid}`), 100);
      expect(list()).toEqual([]);
    },
  );
  it('is held by one at a time, also within one process', async () => {
    const { repo, list } = given();
    let inside = 0;
    const use = async () => {
      inside += 1;
      await Promise.resolve();
      expect(inside).toBe(1);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(repo, use)));
    expect(list()).toEqual([]);
  });
  it('of another stays, and one that is a link is refused', async () => {
    const { repo, state, outside, list } = given();
    await withLock(repo, () => {
      rmSync(join(state, '.lock'));
      writeFileSync(join(state, '.lock'), '1');
    });
    expect(list()).toEqual(['.lock']);
    rmSync(join(state, '.lock'));
    symlinkSync(join(outside, 'x'), join(state, '.lock'));
    expect(await codeOf(withLock(repo, () => 1, 0))).toBe('path_unsafe');
    expect(readdirSync(outside)).toEqual([]);
  });
  it('is released when the work fails', async () => {
    const { repo, list } = given();
    await expect(withLock(repo, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(list()).toEqual([]);
  });
  it('that is stale is a warning of validate', async () => {
    const { call } = given({ '.lock': '999999999' });
    expect((await call('state.validate')).warnings).toMatchObject([{ code: 'LOCK_STALE' }]);
  });
});

describe('workflow.yaml', () => {
  it('SD-39, SD-44: is written whole, and leaves nothing behind', async () => {
    const { call, list, repo } = given(null);
    const values = await call('state.update', { pairs: ['active=true', 'task=x=y'] });
    expect(values).toMatchObject({ active: true, task: 'x=y', created_at: '2026-06-09T12:30:00.123Z' });
    expect(await call('state.read')).toEqual(values);
    expect(await call('state.read', { key: 'task' })).toBe('x=y');
    expect(await call('state.read', { key: 'constructor' })).toBeNull();
    expect(list()).toEqual(['workflow.yaml']);
    expect(lstatSync(join(repo, STATE, 'workflow.yaml')).mode & 0o777).toBe(0o644);
  });
  it('SD-42, SD-43: is not touched by a call that is refused', async () => {
    const { repo, call } = given(null);
    expect(await codeOf(call('state.update', { pairs: ['a=1', 'first_created_at=x'] }))).toBe('state_anchor_immutable');
    expect(await codeOf(call('state.update', { pairs: ['a=1', 'b'] }))).toBe('usage');
    expect(existsSync(join(repo, '.devt'))).toBe(false);
  });
  it('SD-51: that cannot be read is refused, and stays', async () => {
    const { call, list } = given({ 'workflow.yaml': '{{{', 'foo.txt': 'x' });
    expect(await codeOf(call('state.update', { pairs: ['a=1'] }))).toBe('contract_invalid');
    expect(await codeOf(call('state.read'))).toBe('contract_invalid');
    expect(await codeOf(call('state.init', { type: 'dev', apply: true }))).toBe('contract_invalid');
    expect(list()).toEqual(['foo.txt', 'workflow.yaml']);
  });
});

test('SD-34: what is evicted goes to the archive, and the history names it', async () => {
  const { call, list, write } = given({ 'consolidator-ran.txt': 'c', 'plan.md': 'p' });
  write('.archive/cleanup-2026-01-01T00-00-00-000Z/a.md', 'a');
  expect((await call('state.evict', { apply: true })).actions).toMatchObject([{ status: 'done' }]);
  expect(list()).toEqual(['.archive', 'plan.md']);
  expect(list('.archive/evict-2026-06-09T12-30-00-123Z')).toEqual(['consolidator-ran.txt']);
  expect(await call('state.history')).toMatchObject([{ kind: 'evict', files: 1 }, { kind: 'cleanup' }]);
});

describe('SD-35: init', () => {
  const START = '2026-06-08T12:30:00.123Z';
  const files = { 'workflow.yaml': `first_created_at: "${START}"\ncreated_at: "${START}"\nworkflow_id: a\nkept: 1\n` };
  it('plans without --apply, and evicts, cleans up and stamps with it', async () => {
    const { call, list, write } = given({ ...files, 'plan.md': 'p', 'new.txt': 'x' });
    write('review.md', 'r', 3);
    write('old.txt', 'o', 3);
    const dry = await call('state.init', { type: 'plan', task: 't' });
    expect(dry).toMatchObject({ applied: false, workflow: { workflow_id: 'a' }, evict: { applied: false } });
    expect(list()).toEqual(['new.txt', 'old.txt', 'plan.md', 'review.md', 'workflow.yaml']);
    const done = await call('state.init', { type: 'plan', task: 't', apply: true });
    expect(done.workflow).toMatchObject({
      workflow_type: 'plan',
      kept: 1,
      first_created_at: START,
      created_at: new Date(NOW).toISOString(),
    });
    expect(done.workflow.workflow_id_history).toEqual(['a', done.workflow.workflow_id]);
    expect(list()).toEqual(['.archive', 'new.txt', 'plan.md', 'workflow.yaml']);
    expect(list('.archive/evict-2026-06-09T12-30-00-123Z')).toEqual(['review.md']);
    expect(list('.archive/cleanup-2026-06-09T12-30-00-123Z')).toEqual(['old.txt']);
    expect(await codeOf(call('state.init', { type: 'soon' }))).toBe('usage');
  });
});

describe('hostile files', () => {
  it('are answered without being read', async () => {
    const { call, state, outside } = given({ 'review.json': '', 'research.md': '', 'probe-failures.jsonl': '' });
    for (const name of ['review.json', 'research.md', 'probe-failures.jsonl'])
      truncateSync(join(state, name), 100 * 1024 ** 2);
    writeFileSync(join(outside, 'secret.json'), '{"verdict":"APPROVED"}');
    symlinkSync(join(outside, 'secret.json'), join(state, 'verification.json'));
    const report = await call('state.validate');
    expect(report.errors.map(({ code }: { code: string }) => code)).toEqual([
      'SIDECAR_UNREADABLE',
      'SIDECAR_UNREADABLE',
      'STATUS_MISSING',
    ]);
    expect(JSON.stringify(report)).not.toContain('APPROVED"');
    expect((await call('state.sidecar', { name: 'verification.json' })).parsed).toBeNull();
  });
  it('SD-53: references are read inside the repository only', async () => {
    const { repo, outside, call } = given({});
    writeFileSync(join(outside, 'a.md'), '.devt/state/foo.txt');
    writeFileSync(join(repo, 'a.md'), '.devt/state/foo.txt');
    symlinkSync(join(outside, 'a.md'), join(repo, 'b.md'));
    expect(await call('state.references', { files: [join(repo, 'a.md')] })).toMatchObject({
      valid: false,
      errors: [{ code: 'STATE_REFERENCE_UNKNOWN', path: 'a.md', line: 1 }],
    });
    const codes = ['../outside/a.md', 'b.md', 'c.md'].map((file) =>
      codeOf(call('state.references', { files: [file] })),
    );
    expect(await Promise.all(codes)).toEqual(['usage', 'path_unsafe', 'not_found']);
  });
});
