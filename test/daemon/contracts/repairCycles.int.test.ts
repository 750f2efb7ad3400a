import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { givenCycles, ID, progress } from './givenCycles.ts';

const EVENTS = {
  requirements: { type: 'requirements.updated', specification: 'Log in.', edge_cases: ['Timeout'] },
  plan: { type: 'plan.updated', tasks: [], total_estimated_effort: '1d', critical_path: [] },
  changes: { type: 'changes.appended', changes: [{ file: 'a.ts', action: 'create' }] },
  tests: { type: 'tests.recorded', pass_rate: 85, coverage: 78, failed_tests: ['a'], total_tests: 20 },
};

async function given() {
  const cycle = givenCycles();
  await cycle.start();
  return { ...cycle, sync: (apply?: boolean) => cycle.report('cycle.sync', { apply }) };
}

describe('cycle sync --apply', () => {
  it.each(Object.entries(EVENTS).flatMap(([name, event]) => [1, 2].map((nth) => ({ name, event, nth }))))(
    'CS-47: repairs a crash during $name after file $nth',
    async ({ name, event, nth }) => {
      const { repo, sync, apply, state } = await given();
      await apply(event);
      const program = join(import.meta.dirname, 'changeUntilKilled.ts');
      const args = [program, repo, ID, JSON.stringify(event), `${nth}`];
      const ended = await promisify(execFile)(process.execPath, args).catch((error) => error);
      expect(ended.signal).toBe('SIGKILL');
      const crashed = state();
      // A log is one file; of the others, the second file is the copy of the old one.
      expect((await sync()).valid).toBe(name === 'changes' && nth === 2);
      expect(await sync(true)).toMatchObject({ valid: true, parsed: { drift: [] } });
      expect(state()).toEqual(crashed);
      expect(await sync(true)).toMatchObject({ valid: true, parsed: { drift: [], written: [] } });
    },
  );

  it('CS-36, CS-47: writes what is missing, and keeps what it replaces', async () => {
    const { repo, sync, apply, write, read, has } = await given();
    for (const event of Object.values(EVENTS)) await apply(event);
    const before = read(progress('cd/changes.log'));
    rmSync(join(repo, progress('cd/changes.log')));
    write(progress('ep/plan.json'), '{"version":"9.9.9"}');
    const report = await sync(true);
    expect(report).toMatchObject({ valid: true, parsed: { drift: [] } });
    expect(report.parsed).toHaveProperty('written', [
      progress('ep/history/plan-v9.9.9.json'),
      progress('ep/plan.json'),
      progress('cd/changes.log'),
    ]);
    expect(read(progress('ep/history/plan-v9.9.9.json'))).toBe('{"version":"9.9.9"}');
    expect(read(progress('cd/changes.log'))).toBe(before);
    expect(has(progress('coordination/timeline.md'))).toBe(false);
  });

  it('CS-48: leaves a log that says something else', async () => {
    const { sync, apply, write, bytes } = await given();
    await apply(EVENTS.changes);
    const foreign = '{"timestamp":"2026-01-22T10:00:00+08:00","file":"b.ts","action":"create"}\n';
    write(progress('cd/changes.log'), foreign);
    write(progress('coordination/timeline.md'), 'mine');
    const before = bytes();
    const drift = [progress('cd/changes.log'), progress('coordination/timeline.md')];
    expect(await sync(true)).toMatchObject({ valid: false, parsed: { drift, written: [] } });
    expect(bytes()).toEqual(before);
  });

  it('CS-47: is refused while a run owns the cycle', async () => {
    const { refused } = givenCycles({ isInUse: true });
    expect((await refused('cycle.sync', { apply: true })).code).toBe('contract_in_use');
  });
});
