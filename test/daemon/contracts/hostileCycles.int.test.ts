import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenCycles, ID, progress, STATE } from './givenCycles.ts';

const REQUIREMENTS = { type: 'requirements.updated', specification: 'Log in.', edge_cases: [] };

describe('a hostile repository', () => {
  it.each(['.workflow', '.workflow/.cycle'])('CC-6: nothing is written through %s if it is a link', async (path) => {
    const given = givenCycles();
    if (path !== '.workflow') mkdirSync(join(given.repo, '.workflow'));
    symlinkSync(given.outside, join(given.repo, path));
    writeFileSync(join(given.outside, `${ID}.json`), '{}');
    const before = given.bytes();
    expect((await given.refused('cycle.new', { task: 'x' })).code).toBe('path_unsafe');
    expect(await given.call('cycle.list')).toEqual([]);
    expect((await given.refused('cycle.pause')).code).toBe('contract_not_found');
    expect(given.bytes()).toEqual(before);
  });

  it('CC-6: a state that is a link is neither read nor written', async () => {
    const given = givenCycles();
    await given.start();
    const target = join(given.outside, 'state.json');
    writeFileSync(target, given.read(STATE));
    rmSync(join(given.repo, STATE));
    symlinkSync(target, join(given.repo, STATE));
    const before = given.bytes();
    expect(await given.refused('cycle.pause')).toMatchObject({
      code: 'contract_invalid',
      data: { errors: [{ code: 'CYCLE_PARSE_ERROR' }] },
    });
    expect((await given.refused('cycle.rebuild', { apply: true })).code).toBe('path_unsafe');
    expect(given.bytes()).toEqual(before);
  });

  it.each(['ra', 'ra/requirements.md', 'ra/history'])(
    'CC-6: a link at %s is refused before anything is written',
    async (path) => {
      const given = givenCycles();
      await given.start();
      writeFileSync(join(given.outside, 'requirements.md'), 'outside');
      const link = join(given.repo, progress(path));
      rmSync(link, { recursive: true, force: true });
      symlinkSync(path.endsWith('.md') ? join(given.outside, 'requirements.md') : given.outside, link);
      const before = given.bytes();
      expect((await given.refused('cycle.apply', { event: REQUIREMENTS })).code).toBe('path_unsafe');
      expect(given.bytes()).toEqual(before);
    },
  );

  it('CC-6: a directory in the place of a document is refused before anything is written', async () => {
    const given = givenCycles();
    await given.start();
    mkdirSync(join(given.repo, progress('ra/requirements.md')));
    const before = given.bytes();
    expect((await given.refused('cycle.apply', { event: REQUIREMENTS })).code).toBe('path_unsafe');
    expect(given.bytes()).toEqual(before);
  });

  it('CC-6: a named pipe is never waited for', async () => {
    const given = givenCycles();
    await given.start();
    execFileSync('mkfifo', [join(given.repo, progress('ra/requirements.md'))]);
    expect((await given.refused('cycle.apply', { event: REQUIREMENTS })).code).toBe('path_unsafe');
    expect(await given.on('cycle.rebuild')).toMatchObject({ valid: false });
  });

  it('a file of 100 MB is not read, and a copy of it is kept', async () => {
    const given = givenCycles();
    await given.start();
    truncateSync(join(given.repo, STATE), 100 * 1024 * 1024);
    expect(await given.on('cycle.validate')).toMatchObject({ valid: false, errors: [{ code: 'CYCLE_PARSE_ERROR' }] });
    const { parsed } = await given.on('cycle.rebuild', { apply: true });
    expect(given.has(parsed.savedAs)).toBe(true);
    expect(await given.on('cycle.validate')).toMatchObject({ valid: true });
    given.write(progress('cd/changes.log'), '');
    truncateSync(join(given.repo, progress('cd/changes.log')), 100 * 1024 * 1024);
    expect(await given.on('cycle.rebuild')).toMatchObject({
      valid: false,
      errors: [{ code: 'CYCLE_REBUILD_UNREADABLE' }],
    });
  });

  it('a state that would be too large to be read again is not written', async () => {
    const given = givenCycles();
    await given.start();
    const before = given.bytes();
    const event = { ...REQUIREMENTS, specification: 'x'.repeat(17 * 1024 * 1024) };
    expect((await given.refused('cycle.apply', { event })).code).toBe('contract_invalid');
    expect(given.bytes()).toEqual(before);
  });

  it('names with newlines and bytes that are no UTF-8 stay where they are', async () => {
    const given = givenCycles();
    await given.start();
    given.write(`.workflow/.cycle/${ID}\n.json`, '{}');
    given.write('.workflow/.cycle/cycle-v1-20260122T100000-ab\u001b[31m.json', '{}');
    expect(await given.call('cycle.list')).toEqual([ID]);
    given.write(progress('ra/requirements.md'), Buffer.from([0xff, 0xfe, 0x0a, 0x80]));
    await given.apply(REQUIREMENTS);
    expect(given.bytes(given.repo)[progress('ra/history/requirements-vunknown.md')]).toBe(
      Buffer.from([0xff, 0xfe, 0x0a, 0x80]).toString('base64'),
    );
  });

  it('a lock of a process that has ended is taken over, and no lock is left', async () => {
    const given = givenCycles();
    await given.start();
    const lock = `.workflow/.cycle/.${ID}.lock`;
    // A child that has ended: no process has its id.
    const pid = execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }).trim();
    given.write(lock, pid);
    await given.apply(REQUIREMENTS);
    expect(given.has(lock)).toBe(false);
    await given.refused('cycle.extend', { task: 'x' });
    expect(given.has(lock)).toBe(false);
  });

  it('a lock of a process that lives is waited for', async () => {
    const given = givenCycles();
    await given.start();
    const lock = `.workflow/.cycle/.${ID}.lock`;
    given.write(lock, String(process.ppid));
    const applied = given.apply(REQUIREMENTS);
    expect(given.state()).not.toHaveProperty('requirements');
    rmSync(join(given.repo, lock));
    expect((await applied).state.requirements?.version).toBe('1.0.0');
  });
});
