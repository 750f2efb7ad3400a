import { expect, test } from 'vitest';
import type { CallCommand } from '../../../tui/model/model.ts';
import { query } from '../../../tui/model/query.ts';
import { screenOf } from '../../../tui/screens/index.ts';
import { givenModel, press, seen } from '../given.ts';

const doctor = () => givenModel({ screen: 'doctor' });
const CHECKS = [
  { name: 'git', status: 'pass', detail: 'git 2.50', remediation: null },
  { name: 'tmux', status: 'warn', detail: 'tmux 3.3a works', remediation: 'Install 3.5.' },
  { name: 'node', status: 'fail', detail: 'too old', remediation: 'Install Node 22.' },
];

test('shows what passes, warns and fails, with the remediation', () => {
  const model = doctor();
  expect(seen(model)).toContain('checking…');
  const { commands } = press(model, 'r');
  const checked = (commands[0] as CallCommand<'daemon.doctor'>).then(model, CHECKS as never).model;
  expect(seen(checked)).toContain('1 pass, 1 warn, 1 fail');
  expect(seen(checked)).toMatch(/✓ pass {2}git[\s\S]*! warn {2}tmux[\s\S]*→ Install 3\.5\.[\s\S]*✗ fail {2}node/);
});

test('asks the daemon again in strict mode', () => {
  const strict = press(doctor(), 's').model;
  const params = { strict: true, listOrphans: false, cwd: strict.cwd };
  expect(screenOf(strict).queries(strict)).toEqual([query('daemon.doctor', params)]);
  expect(press({ ...strict, busy: ['checking'] }, 'r').commands).toEqual([]);
});
