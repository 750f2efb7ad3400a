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
  const node = (...args: string[]) => {
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: join(root, 'scripts'), env, encoding: 'utf8' });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  return {
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
