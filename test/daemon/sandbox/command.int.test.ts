import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeHome, ownHome } from '../../../daemon/commands/ownHome.ts';
import { type CommandInput, type CommandResult, startOrAdopt } from '../../../daemon/commands/runner.ts';
import { withinSandbox } from '../../../daemon/engine/performers/withinSandbox.ts';
import { removeSandboxes } from '../../../daemon/sandbox/removeSandboxes.ts';
import { findProcesses, variablesOf } from '../../../daemon/system/findProcesses.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { COMMAND_VARIABLE } from '../../../schemas/process/agentMark.ts';
import { noSandboxBecause } from '../../helpers/canSandbox.ts';
import { outsideWorld } from '../../helpers/outsideWorld.ts';
import { plantPrograms } from '../../helpers/plantPrograms.ts';
import { until } from '../../helpers/until.ts';

describe.skipIf(noSandboxBecause)('a command in a sandbox', () => {
  afterEach(() => void vi.unstubAllEnvs());

  async function given() {
    const world = await outsideWorld();
    vi.stubEnv('HOME', world.outside.HOME_DIR);
    const dir = join(world.outside.DEVFLOW, 'workspaces/one/commands');
    const place = { repoPath: world.repo, path: world.outside.WORKTREE, branch: world.branch };
    const sandbox = { level: 'all' as const, by: 'bubblewrap' };
    const input = (script: string, more: Partial<CommandInput> = {}): CommandInput => ({
      commandId: 'one',
      argv: ['sh', '-c', script],
      cwd: place.path,
      dir,
      timeoutMs: 60_000,
      startedAt: new Date(),
      ...withinSandbox({ sandbox, place, dir }),
      ...more,
    });
    const processes = () => findProcesses(({ pid }) => variablesOf(pid, COMMAND_VARIABLE).includes(join(dir, 'one')));
    return { ...world, dir, place, input, processes };
  }
  const said = ({ stdoutPath, stderrPath }: CommandResult) =>
    [stdoutPath, stderrPath].map((path) => readFileSync(path, 'utf8'));

  it('has its worktree, its git and a home of its own, and nothing else of the person', async () => {
    const { input, outside } = await given();
    const script = `pwd; git status --porcelain; echo made >made; echo kept >~/kept; echo $TMPDIR
      cat "$KEY" ${outside.OTHER_WORKTREE}/notes "$DOTENV"; ls ~`;
    // The policy refuses a command that names them.
    const env = { KEY: `${outside.HOME_DIR}/.ssh/id_ed25519`, DOTENV: `${outside.CHECKOUT}/.env` };
    const ended = await startOrAdopt(input(script, { env }));
    const [out, err] = said(ended);
    expect(ended.exitCode).toBe(0);
    expect(out).toBe(`${outside.WORKTREE}\n/tmp\nkept\n`);
    expect(err?.match(/No such file/g)).toHaveLength(3);
    expect([existsSync(join(outside.WORKTREE, 'made')), existsSync(join(outside.HOME_DIR, 'kept'))]).toEqual([
      true,
      false,
    ]);
  });

  it('sees no other worktree of devflow, even if a person added one above', async () => {
    const { outside, root, input, place, dir } = await given();
    const sandbox = { level: 'all' as const, by: 'bubblewrap', read: [root] };
    const script = `ls ${root} ${outside.DEVFLOW}/workspaces; cat ${outside.OTHER_WORKTREE}/notes`;
    const [out, err] = said(await startOrAdopt(input(script, withinSandbox({ sandbox, place, dir }))));
    expect(out).toContain('open\n');
    expect(out).toContain('workspaces:\none\n');
    expect([out?.includes('two'), err]).toEqual([false, expect.stringContaining('No such file')]);
  });

  it('that measures has packages of its own where its home leads to those of the person', async () => {
    const { outside, input, place, dir } = await given();
    const theirs = join(outside.HOME_DIR, '.cargo/registry');
    mkdirSync(theirs, { recursive: true });
    const home = join(outside.DEVFLOW, 'workspaces/one/home');
    await makeHome(home);
    const within = withinSandbox({ sandbox: { level: 'all', by: 'bubblewrap' }, place, dir, writes: [home] });
    const script = 'mkdir "$CARGO_HOME/registry/index" && echo made';
    const ended = await startOrAdopt(input(script, { env: ownHome(home), ...within }));
    expect(said(ended)).toEqual(['made\n', '']);
    expect(existsSync(join(theirs, 'index'))).toBe(false);
  });

  it('ends with its own status, and says which program is missing', async () => {
    const { input } = await given();
    expect(await startOrAdopt(input('exit 3'))).toMatchObject({ exitCode: 3, signal: null });
    const missing = await startOrAdopt(input('', { commandId: 'two', argv: ['no-such-program'] }));
    expect(missing.exitCode).toBe(127);
    expect(said(missing)[1]).toMatch(/^devflow: there is no program no-such-program/);
    expect(await startOrAdopt(input('kill -9 $$', { commandId: 'three' }))).toMatchObject({ signal: 'SIGKILL' });
  });

  it('is started by no program that an agent left in the search path of the worktree', async () => {
    const { input, outside, root } = await given();
    const bin = join(outside.WORKTREE, '.venv/bin');
    const { ran } = plantPrograms(bin, join(root, 'proof/ran'));
    const env = { PATH: `${bin}:$PATH`, PERL5OPT: '-Mno::such::module' };
    const ended = await startOrAdopt(input('', { env, argv: ['/bin/sh', '-c', 'tool; echo $PERL5OPT; echo $PATH'] }));
    expect(said(ended)[0]?.split('\n').slice(0, 2)).toEqual(['tool', env.PERL5OPT]);
    expect(said(ended)[0]).toContain(`\n${bin}:/`);
    expect(ran()).toEqual([]);
    const { within: _, ...unenclosed } = input('', { commandId: 'two', env, argv: ['true'] });
    await startOrAdopt(unenclosed);
    expect(ran()).toContain('sed');
  });

  it('is adopted by the next daemon', async () => {
    const { input, outside, processes } = await given();
    const detached = new AbortController();
    const command = input('echo began >began; while [ ! -e go ]; do sleep 0.05; done; echo done');
    const waiting = startOrAdopt({ ...command, signal: detached.signal });
    waiting.catch(() => {});
    await until('it began', () => existsSync(join(outside.WORKTREE, 'began')));
    detached.abort(new DevflowError('shutting_down', 'The daemon stops.'));
    await expect(waiting).rejects.toMatchObject({ code: 'shutting_down' });
    expect((await processes()).length).toBeGreaterThan(2);
    const adopted = startOrAdopt(command);
    writeFileSync(join(outside.WORKTREE, 'go'), '');
    expect(said(await adopted)[0]).toBe('done\n');
  });

  it('is asked to end before it is killed, with all that it started', async () => {
    const { input, outside, processes } = await given();
    const stopping = new AbortController();
    const script = `trap 'echo asked; exit 0' TERM; setsid sh -c 'trap "" TERM; sleep 1000' & touch began; while :; do sleep 0.05; done`;
    const ending = startOrAdopt(input(script, { signal: stopping.signal }));
    await until('it began', () => existsSync(join(outside.WORKTREE, 'began')));
    stopping.abort();
    const ended = await ending;
    expect([ended.aborted, said(ended)[0]]).toEqual([true, 'asked\n']);
    expect(await processes()).toEqual([]);
  });

  it('leaves nothing running in the background', async () => {
    const { input, processes } = await given();
    await startOrAdopt(input('setsid sh -c \'trap "" TERM HUP; sleep 1000\' >/dev/null 2>&1 & sleep 0.1'));
    await until('nothing runs', async () => (await processes()).length === 0);
  });

  it('loses its home with the run, also a part that nobody may change', async () => {
    const { input, dir } = await given();
    await startOrAdopt(
      input('mkdir -p ~/go/pkg/mod/x && touch ~/go/pkg/mod/x/y && chmod 500 ~/go/pkg/mod/x ~/go/pkg/mod'),
    );
    const runDir = join(dir, '..');
    expect(existsSync(join(runDir, 'sandbox'))).toBe(true);
    mkdirSync(join(runDir, 'sessions/s/sandbox/home'), { recursive: true });
    await removeSandboxes({ runDir, sessionsDir: join(runDir, 'sessions') });
    expect([join(runDir, 'sandbox'), join(runDir, 'sessions/s/sandbox')].filter(existsSync)).toEqual([]);
  });
});
