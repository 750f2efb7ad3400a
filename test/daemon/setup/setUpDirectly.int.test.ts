import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endMarked } from '../../../daemon/commands/endMarked.ts';
import { readStatus } from '../../../daemon/repository/worktree/worktreeStatus.ts';
import { type SetUpDirectly, setUpDirectly } from '../../../daemon/setup/setUpDirectly.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { isAlive } from '../../../schemas/process/processes.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import { eventually } from '../../helpers/eventually.ts';
import { givenSetup, NO_SETUP } from './given.ts';

async function givenDirect(files: Record<string, string> = {}, tracked: Record<string, string> = {}) {
  const at = await givenSetup(files, { 'lock.json': '1', ...tracked });
  const dir = join(at.repo.root, 'commands');
  mkdirSync(at.path('.cache'));
  const run = (setup: Partial<WorktreeSetup>, more: Partial<SetUpDirectly> = {}) =>
    setUpDirectly({
      privateGit: at.privateGit,
      setup: { ...NO_SETUP, ...setup },
      dir,
      id: 'test',
      timeoutMs: 60_000,
      now: () => new Date(),
      ...more,
    });
  return { ...at, dir, run };
}

const sh = (script: string) => ({ argv: ['sh', '-c', script] });

describe('setting up a worktree at once', () => {
  it('places files, runs the commands in order, and ends what they changed', async () => {
    const at = await givenDirect({ '.cache/a': 'A=1' });
    const commands = [sh('cp .cache/a out.txt; echo 2 >lock.json'), sh('mkdir .venv; cp out.txt .venv; cat >in.txt')];
    const end = await at.run({ copy: ['.cache/a'], commands });
    expect(end).toMatchObject({ ok: true, already: false, changed: ['lock.json'] });
    expect(end.placed.map(({ path }) => path)).toEqual(['.cache/a']);
    expect(end.excluded.sort()).toEqual(['.venv/', 'in.txt', 'out.txt']);
    expect([at.text('.venv/out.txt'), at.text('in.txt'), at.text('lock.json')]).toEqual(['A=1', '', '1']);
    expect((await readStatus(at.privateGit)).files).toEqual([]);
  });

  it('never does it twice for the same inputs, and again for others', async () => {
    const at = await givenDirect();
    const setup = { commands: [sh('echo x >>.cache/count')], again: ['lock.json'] };
    expect(await at.run(setup)).toMatchObject({ ok: true, already: false });
    expect(await at.run(setup)).toMatchObject({ ok: true, already: true });
    expect(await at.run(setup, { id: 'other' })).toMatchObject({ ok: true, already: true });
    writeFileSync(at.path('lock.json'), '2');
    expect(await at.run(setup)).toMatchObject({ ok: true, already: false, changed: [] });
    expect(at.text('.cache/count')).toBe('x\nx\n');
    expect(at.text('lock.json')).toBe('2');
  });

  it('does it again for what it was set up for, once commands for other inputs ran there', async () => {
    const at = await givenDirect();
    const setup = { commands: [sh('cp lock.json .cache/made; test ! -e .cache/red')], again: ['lock.json'] };
    const setFor = (lock: string) => {
      writeFileSync(at.path('lock.json'), lock);
      return at.run(setup, { id: `for-${lock}` });
    };
    await setFor('1');
    expect(await setFor('2')).toMatchObject({ ok: true });
    expect(await setFor('1')).toMatchObject({ ok: true, already: false });
    expect(at.text('.cache/made')).toBe('1');
    writeFileSync(at.path('.cache/red'), '');
    expect(await setFor('3')).toMatchObject({ ok: false });
    rmSync(at.path('.cache/red'));
    expect(await setFor('1')).toMatchObject({ ok: true, already: false });
    expect(at.text('.cache/made')).toBe('1');
  });

  it('leaves a server of a good set-up running, until it is done again', async () => {
    const at = await givenDirect();
    const [serve, count] = ["setsid sh -c 'echo $$ >>.cache/pids; exec sleep 1000' &", 'cat .cache/pids 2>&1 | wc -l'];
    // In a session of its own, which outlives the command.
    const started = `n=$(${count}); ${serve} while [ ! -s .cache/pids ] || [ $(${count}) = $n ]; do sleep 0.02; done`;
    const setup = { commands: [sh('touch .cache/pids'), sh(started)], again: ['lock.json'] };
    const pids = () => at.text('.cache/pids').trim().split('\n');
    const isRunning = (pid: string) => isAlive(Number(pid));
    onTestFinished(
      async () => void (await endMarked({ isMark: (mark) => mark.startsWith(at.dir), leader: undefined })),
    );
    await at.run(setup);
    await at.run(setup);
    expect(pids().map(isRunning)).toEqual([true]);
    writeFileSync(at.path('lock.json'), '2');
    await at.run(setup);
    expect(pids().map(isRunning)).toEqual([false, true]);
    writeFileSync(at.path('lock.json'), '3');
    const fails = await at.run({ ...setup, commands: [...setup.commands, sh('exit 1')] });
    expect(fails.ok).toBe(false);
    expect(pids().map(isRunning)).toEqual([false, false, false]);
  });

  it('stops at a command that fails, which the same id does not run again', async () => {
    const at = await givenDirect();
    const setup = {
      commands: [sh('echo x >>.cache/count; echo 2 >lock.json; echo oops >&2; exit 3'), sh('touch never')],
    };
    const end = await at.run(setup);
    expect(end).toMatchObject({ ok: false, reason: 'exit 3', changed: ['lock.json'] });
    expect(readFileSync(end.failed?.result.stderrPath ?? '', 'utf8')).toBe('oops\n');
    expect(at.isThere('never')).toBe(false);
    expect(await at.run(setup)).toMatchObject({ ok: false, reason: 'exit 3' });
    expect(at.text('.cache/count')).toBe('x\n');
    expect(await at.run(setup, { id: 'test-2' })).toMatchObject({ ok: false });
    expect(at.text('.cache/count')).toBe('x\nx\n');
  });

  describe('leaves out a command whose directory was cloned', () => {
    const unlessCloned = { directory: 'node_modules', lock: 'lock.json' };
    const setup = {
      clone: ['node_modules'],
      commands: [{ ...sh('cat lock.json >>.cache/ran'), unlessCloned }],
      again: ['lock.json'],
    };
    const givenClone = async () => {
      const at = await givenDirect({ 'node_modules/a.js': 'a' });
      return { ...at, ran: () => (at.isThere('.cache/ran') ? at.text('.cache/ran') : '') };
    };

    it('if the lock file is the one that it was cloned for', async () => {
      const at = await givenClone();
      await at.run(setup);
      expect([at.ran(), at.text('node_modules/a.js')]).toEqual(['', 'a']);
      at.repo.write({ 'lock.json': '2' });
      await at.run({ ...setup, env: { OTHER: '1' } });
      expect(at.ran()).toBe('');
      // The checkout went on to the same lock file, but not the clone.
      writeFileSync(at.path('lock.json'), '2');
      await at.run(setup);
      expect(at.ran()).toBe('2');
    });

    it('and not once it ran', async () => {
      const at = await givenClone();
      await at.run(setup);
      for (const lock of ['2', '1']) {
        writeFileSync(at.path('lock.json'), lock);
        await at.run(setup);
      }
      expect(at.ran()).toBe('21');
      rmSync(at.path('node_modules'), { recursive: true });
      await at.run({ ...setup, env: { OTHER: '1' } });
      expect([at.ran(), at.text('node_modules/a.js')]).toEqual(['21', 'a']);
    });

    it('if it was cloned for the same one', async () => {
      const at = await givenClone();
      at.repo.write({ 'lock.json': 'of another branch' });
      expect(await at.run(setup)).toMatchObject({ ok: true });
      expect(at.ran()).toBe('1');
    });
  });

  it('gives commands the variables of the set-up, and ports that stay the same', async () => {
    const at = await givenDirect();
    const script = 'echo "$NODE_ENV $PORT $DEVFLOW_LANE" >>.cache/seen';
    const setup = { commands: [sh(script)], ports: ['PORT'], env: { NODE_ENV: 'test' } };
    const first = await at.run(setup, { env: { DEVFLOW_LANE: 'lane-1' } });
    expect(first.env).toMatchObject({
      NODE_ENV: 'test',
      PORT: expect.stringMatching(/^2\d{4}$/),
      DEVFLOW_LANE: 'lane-1',
    });
    const second = await at.run(setup, { env: { DEVFLOW_LANE: 'lane-1' } });
    expect(second.env).toEqual(first.env);
    expect(at.text('.cache/seen')).toBe(`test ${first.env.PORT} lane-1\n`);
  });

  it('adopts a command that runs on after a shutdown', async () => {
    const at = await givenDirect();
    const go = join(at.repo.root, 'go');
    const setup = {
      commands: [sh(`echo x >>.cache/count; echo 2 >lock.json; while [ ! -e ${go} ]; do sleep 0.05; done`)],
    };
    const stop = new AbortController();
    onTestFinished(() => endMarked({ isMark: (mark) => mark.startsWith(at.dir) }));
    const first = at.run(setup, { signal: stop.signal });
    await eventually(() => expect(existsSync(at.path('.cache/count'))).toBe(true));
    stop.abort(new DevflowError('shutting_down', 'The daemon ends.'));
    await expect(first).rejects.toMatchObject({ code: 'shutting_down' });
    const second = at.run(setup);
    mkdirSync(go);
    expect(await second).toMatchObject({ ok: true, changed: ['lock.json'] });
    expect([at.text('.cache/count'), at.text('lock.json')]).toEqual(['x\n', '1']);
    expect(readdirSync(at.dir).filter((name) => name.endsWith('.exit'))).toHaveLength(1);
  });

  it('runs a command again that a pause ended', async () => {
    const at = await givenDirect();
    const go = join(at.repo.root, 'go');
    const setup = { commands: [sh(`echo x >>.cache/count; while [ ! -e ${go} ]; do sleep 0.05; done`)] };
    const pause = new AbortController();
    const first = at.run(setup, { signal: pause.signal });
    await eventually(() => expect(existsSync(at.path('.cache/count'))).toBe(true));
    pause.abort(new Error('paused'));
    await expect(first).rejects.toThrow('paused');
    mkdirSync(go);
    expect(await at.run(setup)).toMatchObject({ ok: true });
    expect(at.text('.cache/count')).toBe('x\nx\n');
  });
});
