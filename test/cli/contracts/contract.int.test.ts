import { mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { CODES, CONTRACTS } from '../../../schemas/contracts/report/codes.ts';
import { givenRepository } from './givenRepository.ts';

/** One trace of each convention, and what it is detected as. */
const TRACES = {
  '.devt/state/plan.md': { contract: 'devt/state-directory@1', path: '.devt/state' },
  '.claude/projects/2026-11-23-login/brief.md': { contract: 'handover', path: '.claude/projects/2026-11-23-login' },
  '.claude/plans/trekplan-login.md': { contract: 'handover/plan@1', path: '.claude/plans/trekplan-login.md' },
  '.claude/research/trekresearch-login.md': {
    contract: 'handover/research@1',
    path: '.claude/research/trekresearch-login.md',
  },
  '_docs/_autodev_state.md': { contract: 'autodev/state@1', path: '_docs/_autodev_state.md' },
  '.workflow/.cycle/cycle-v1-20260122T100000-abc123.json': {
    contract: 'cycle/cycle-state@1',
    path: '.workflow/.cycle/cycle-v1-20260122T100000-abc123.json',
  },
};
type Trace = keyof typeof TRACES;

/** A repository with these files. */
function given(...files: Trace[]) {
  return givenRepository('contract', Object.fromEntries(files.map((file) => [file, 'Not what it should be.\n'])));
}

test('CC-1: detect finds each convention by its own trace, in any combination, and nothing in an empty repository', async () => {
  const all = Object.keys(TRACES) as Trace[];
  for (const trace of all) {
    expect((await (await given(trace)).json('detect')).value).toEqual([TRACES[trace]]);
  }
  const { value } = await (await given(...all)).json('detect');
  expect(new Set(value)).toEqual(new Set(Object.values(TRACES)));
  expect(await (await given()).json('detect')).toEqual({ code: 0, value: [] });
  expect((await (await given()).run('detect')).out).toBe('This repository uses no contract that devflow knows.\n');
});

test('CC-2: check sums up, and every finding is in the sum with its path', async () => {
  const { json } = await given('_docs/_autodev_state.md', '.claude/projects/2026-11-23-login/brief.md');
  const { code, value } = await json('check');
  expect(code).toBe(1);
  expect(value).toMatchObject({ contract: '*', valid: false });
  const { reports } = value.parsed;
  expect(reports.map((each: { contract: string }) => each.contract)).toEqual(['handover/brief@1', 'autodev/state@1']);
  const errors = reports.reduce((sum: number, each: { errors: number }) => sum + each.errors, 0);
  expect(value.errors).toHaveLength(errors);
  const paths = new Set(value.errors.map((each: { path: string }) => each.path));
  expect(paths).toEqual(new Set(['.claude/projects/2026-11-23-login/brief.md', '_docs/_autodev_state.md']));
  const one = await json('check', '--contract', 'autodev/state@1');
  expect(one.value.parsed.reports).toHaveLength(1);
  expect((await json('check', '--contract', 'cycle')).code).toBe(0);
});

test('CC-2: a check of nothing says so, and is no failure', async () => {
  const { run, json } = await given();
  const said = 'Nothing to check: this repository has no file of';
  expect(await run('check')).toMatchObject({ code: 0, out: `${said} a contract that devflow knows.\n` });
  expect(await run('check', '--contract', 'cycle')).toMatchObject({ code: 0, out: `${said} cycle.\n` });
  expect((await json('check')).value).toMatchObject({ contract: '*', valid: true, parsed: { reports: [] } });
});

test('CC-3: a missing repository is exit code 4, unknown words are 2, and nothing is printed then', async () => {
  const { run } = await given();
  expect(await run('check', '--repo', 'nowhere')).toMatchObject({ code: 4, out: '' });
  expect(await run('check', '--contract', 'nothing')).toMatchObject({ code: 4, out: '' });
  expect(await run('show', 'nothing@1')).toMatchObject({ code: 4, out: '' });
  for (const words of [['chekc'], ['check', '--nope'], ['check', '--repo'], ['check', '--soft', '--strict']]) {
    expect(await run(...words), words.join(' ')).toMatchObject({ code: 2, out: '' });
  }
});

test('CC-4: a check leaves every file as it is', async () => {
  const { repo, run } = await given(...(Object.keys(TRACES) as Trace[]));
  const read = () => readdirSync(repo, { recursive: true }).sort();
  const before = read();
  await run('check');
  await run('detect');
  expect(read()).toEqual(before);
});

test('CC-5: list and show come from the same data as the checks', async () => {
  const { json } = await given();
  expect((await json('list')).value).toEqual(CONTRACTS);
  for (const { id } of CONTRACTS) {
    const { value } = await json('show', id);
    const known = Object.entries(CODES).filter(([, { contracts }]) => contracts.includes(id));
    expect(value.codes.map(({ code }: { code: string }) => code)).toEqual(known.map(([code]) => code));
  }
});

test('CC-6: nothing is read through a link', async () => {
  const { repo, json } = await given();
  const outside = join(dirname(repo), 'outside');
  mkdirSync(join(outside, 'state'), { recursive: true });
  writeFileSync(join(outside, 'state', 'foreign.md'), 'secret');
  writeFileSync(join(outside, '_autodev_state.md'), 'secret');
  symlinkSync(outside, join(repo, '.devt'));
  symlinkSync(outside, join(repo, '_docs'));
  expect(await json('detect')).toEqual({ code: 0, value: [] });
  expect(readFileSync(join(outside, 'state', 'foreign.md'), 'utf8')).toBe('secret');
});

test('status has each contract with its verdict, its newest change and its findings', async () => {
  const { repo, oneshot } = await given('.devt/state/plan.md', '_docs/_autodev_state.md');
  const lock = join(repo, '.devt/state/.lock');
  writeFileSync(lock, '999999999');
  for (const path of ['.devt/state/plan.md', '_docs/_autodev_state.md']) utimesSync(join(repo, path), 1000, 2000);
  utimesSync(lock, 1000, 3000);
  const [state, autodev, ...others] = (await oneshot('status')).result;
  expect(others).toEqual([]);
  expect(state).toMatchObject({ contract: 'devt/state-directory@1', path: '.devt/state' });
  expect(state.changedAt).toBe(new Date(3_000_000).toISOString());
  expect(state.findings).toContainEqual(expect.objectContaining({ code: 'LOCK_STALE', severity: 'warning' }));
  expect(autodev).toMatchObject({ changedAt: new Date(2_000_000).toISOString(), warnings: 0 });
  expect(autodev.errors).toBeGreaterThan(0);
  expect(autodev.findings).toHaveLength(autodev.errors);
  expect(autodev.findings[0]).toMatchObject({ severity: 'error', path: '_docs/_autodev_state.md' });
});

test('status counts all findings and shows at most 500', async () => {
  const { write, oneshot } = await given();
  for (let nth = 0; nth < 600; nth += 1) write(`.devt/state/odd-${nth}.xyz`, '');
  const [state] = (await oneshot('status')).result;
  expect(state.errors + state.warnings).toBe(600);
  expect(state.findings).toHaveLength(500);
});

test('status is empty without contracts, and refuses a missing repository', async () => {
  const { repo, oneshot } = await given();
  expect(await oneshot('status')).toEqual({ result: [] });
  expect(await oneshot('status', { repo: join(repo, 'none') })).toMatchObject({
    error: { code: 'contract_not_found' },
  });
  // The parameters are checked without the sentences of zod, which load only now.
  expect(await oneshot('status', { repo: '' })).toMatchObject({
    error: {
      code: 'usage',
      message: expect.stringMatching(/^invalid params of contract\.status: repo: Too small: .+; repo: is no path: /),
    },
  });
});
