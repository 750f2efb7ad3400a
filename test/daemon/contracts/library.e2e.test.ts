import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { givenBrief, givenPlan, givenStep, PROJECT } from '../../schemas/contracts/handover/given.ts';

const FILES = {
  [`${PROJECT}/brief.md`]: givenBrief({ task: undefined }),
  [`${PROJECT}/plan.md`]: givenPlan([givenStep(1), givenStep(3)]),
  '_docs/_autodev_state.md': '## Current Step\nflow: greenfield\nstep: 99\n',
  '.workflow/.cycle/cycle-v1-20260122T100000-abc123.json': '{}',
  '.devt/state/unknown.bin': 'x',
};

/** A repository, and a directory of scripts where the package is installed as npm would do it. */
function given() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-library-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const repo = join(root, 'repo');
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  const installed = join(root, 'scripts', 'node_modules', 'devflow');
  mkdirSync(installed, { recursive: true });
  cpSync(join(packageRoot(), 'package.json'), join(installed, 'package.json'));
  symlinkSync(join(inject('built'), 'dist'), join(installed, 'dist'));
  const env = { PATH: process.env.PATH, HOME: root, DEVFLOW_HOME: join(root, 'home') };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, args, { cwd: join(root, 'scripts'), env, encoding: 'utf8' });
  const node = (...args: string[]) => {
    const { stdout, stderr } = run(...args);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  return {
    /** What the TypeScript compiler says of a script, by line. */
    compile: (text: string, name: string): string[] => {
      writeFileSync(join(root, 'scripts', name), text);
      const tsc = join(packageRoot(), 'node_modules', 'typescript', 'bin', 'tsc');
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2024', '--ignoreConfig'];
      const { stdout, stderr } = run(tsc, ...options, name);
      expect(stderr).toBe('');
      return stdout.match(/^.*error TS\d+/gm) ?? [];
    },
    script: (text: string, name = 'script.mjs') => {
      writeFileSync(join(root, 'scripts', name), text);
      return node(name, repo);
    },
    command: (...words: string[]) =>
      node(join(inject('built'), 'dist', 'cli.cjs'), 'contract', 'check', '--repo', repo, '--json', ...words),
  };
}

const SCRIPT = `import { check, readSnapshot } from 'devflow/contracts';
const snapshot = readSnapshot(process.argv[2]);
const reports = [check('*', snapshot), check('handover', snapshot, { mode: 'strict' }), check('handover/plan@1', snapshot)];
console.log(JSON.stringify(reports));
`;

test('CC-2: a script that imports the library finds what the command finds', () => {
  const { script, command } = given();
  const [all, strict, plan] = script(SCRIPT);
  expect(all).toEqual(command());
  expect(strict).toEqual(command('--contract', 'handover', '--strict'));
  expect(plan).toEqual(command('--contract', 'handover/plan@1'));
  const contracts = new Set(all.parsed.reports.map(({ contract }: { contract: string }) => contract.split('/')[0]));
  expect(contracts).toEqual(new Set(['devt', 'handover', 'autodev', 'cycle']));
  expect(plan.errors.map(({ code, line }: { code: string; line: number }) => [code, line])).toEqual([
    ['PLAN_STEP_NUMBERING', expect.any(Number)],
  ]);
});

test('CC-2: a script checks texts that are in no repository, and a wrong name or mode throws', () => {
  const { script } = given();
  const text = `const { check, snapshotOf } = require('devflow/contracts');
const codeOf = (work) => { try { work(); } catch (error) { return error.code ?? error.name; } };
const snapshot = snapshotOf(${JSON.stringify({ [`${PROJECT}/brief.md`]: FILES[`${PROJECT}/brief.md`] })});
const { valid, errors } = check('handover/brief@1', snapshot, { mode: 'strict' });
const wrong = [codeOf(() => check('handover/nothing@1', snapshot)), codeOf(() => check('*', snapshot, { mode: 'Strict' }))];
console.log(JSON.stringify({ valid, codes: errors.map(({ code }) => code), wrong }));
`;
  expect(script(text, 'script.cjs')).toEqual({
    valid: false,
    codes: ['BRIEF_MISSING_FIELD'],
    wrong: ['contract_not_found', 'TypeError'],
  });
});

const TYPED = `import { check, type Entry, type Finding, type Mode, readSnapshot, type Report, snapshotOf, type TreeSnapshot } from 'devflow/contracts';
const mode: Mode = 'soft';
const snapshot: TreeSnapshot = readSnapshot('.');
const report: Report = check('*', snapshotOf({ 'plan.md': '' }, 0), { mode });
const first: Finding | undefined = report.errors[0];
const entry: Entry | undefined = snapshot.entries.get('plan.md');
export const answers: [boolean, boolean, string?] = [first?.code === 'PLAN_NO_STEPS', report.valid, entry?.text];
`;

test('CC-2: the library has types for scripts of both module systems', () => {
  const { compile } = given();
  expect(compile(TYPED, 'typed.mts')).toEqual([]);
  expect(compile(TYPED, 'typed.cts')).toEqual([]);
});

test('CC-2: the types refuse a mode and a code that do not exist', () => {
  const { compile } = given();
  const wrong = TYPED.replace("'soft'", "'Soft'").replace('PLAN_NO_STEPS', 'PLAN_NO_STEP');
  expect(compile(wrong, 'wrong.mts')).toEqual([
    expect.stringMatching(/^wrong\.mts\(2,7\): error TS2820$/),
    expect.stringMatching(/^wrong\.mts\(7,\d+\): error TS2367$/),
  ]);
});
