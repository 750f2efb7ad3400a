import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noSandboxBecause } from '../../helpers/canSandbox.ts';
import { outsideWorld } from '../../helpers/outsideWorld.ts';
import { inSandbox, wordsFor } from '../../helpers/sandboxed.ts';

describe.skipIf(noSandboxBecause)('a program in the sandbox of an agent', () => {
  it('writes its worktree, and its exit code and output are its own', async () => {
    const world = await outsideWorld();
    const ended = await inSandbox(world, ['sh', '-c', 'echo out; echo err >&2; echo new >made; exit 7']);
    expect(ended).toEqual({ status: 7, out: 'out\n', err: 'err\n' });
    expect(readFileSync(join(world.outside.WORKTREE, 'made'), 'utf8')).toBe('new\n');
  });

  it('that reads only, writes its artifacts and nothing else of the worktree', async () => {
    const world = await outsideWorld();
    const script = 'echo a >.devflow/artifacts/a.json; echo b >made; git status --porcelain';
    const ended = await inSandbox(world, ['sh', '-c', script], { permissionMode: 'read' });
    expect(ended.err).toContain('Read-only file system');
    expect(ended.status).toBe(0);
    expect(existsSync(join(world.outside.WORKTREE, '.devflow/artifacts/a.json'))).toBe(true);
    expect(existsSync(join(world.outside.WORKTREE, 'made'))).toBe(false);
  });

  it('finds no program that is not there, and says so', async () => {
    const ended = await inSandbox(await outsideWorld(), ['no-such-program', 'x']);
    expect(ended.status).toBe(127);
    expect(ended.err).toMatch(/^devflow: there is no program no-such-program \(PATH is /);
  });

  it('has its own files below /tmp and in its home, and keeps them for the next one', async () => {
    const world = await outsideWorld();
    const name = `devflow-sandbox-${process.pid}`;
    await inSandbox(world, ['sh', '-c', `echo kept >/tmp/${name}; echo kept >~/${name}; mkdir -p ~/.cache/x`]);
    const ended = await inSandbox(world, ['sh', '-c', `cat /tmp/${name} ~/${name} /var/tmp/${name}`]);
    expect(ended.out).toBe('kept\nkept\nkept\n');
    expect([`/tmp/${name}`, join(world.outside.HOME_DIR, name)].filter(existsSync)).toEqual([]);
  });

  it('has no open file of another program', async () => {
    const ended = await inSandbox(await outsideWorld(), ['sh', '-c', 'ls /proc/self/fd | wc -l']);
    // Of `ls`: its three streams, and the directory that it reads.
    expect(ended.out.trim()).toBe('4');
  });

  it('has a network, unless that is off', async () => {
    const world = await outsideWorld();
    const server = createServer((_, answer) => answer.end('hello'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && tail -n 1 <&3`;
    expect((await inSandbox(world, ['bash', '-c', ask])).out).toBe('hello');
    const without = await inSandbox(world, ['bash', '-c', ask], { network: 'off' });
    expect([without.status, without.err]).toEqual([1, expect.stringContaining('Connection refused')]);
  });

  it('makes a sandbox of its own inside, where its program does', async () => {
    const world = await outsideWorld();
    const nested = [
      'bwrap',
      '--unshare-user',
      '--unshare-pid',
      '--ro-bind',
      '/',
      '/',
      '--bind',
      world.outside.WORKTREE,
      world.outside.WORKTREE,
    ];
    const argv = [...nested, 'sh', '-c', 'echo nested >made; echo x >/etc/made'];
    const ended = await inSandbox(world, argv, { needs: { nests: true } });
    expect(ended.err).toMatch(/Read-only/);
    expect(readFileSync(join(world.outside.WORKTREE, 'made'), 'utf8')).toBe('nested\n');
    expect((await inSandbox(world, argv)).err).toContain('bwrap: ');
  });

  it('sees and writes what a person added', async () => {
    const world = await outsideWorld();
    const { OPEN_DIR, CHECKOUT } = world.outside;
    const script = `cat ${OPEN_DIR}/temporary && cat ${CHECKOUT}/.env && echo x >${CHECKOUT}/.env; echo x >${OPEN_DIR}/added`;
    const ended = await inSandbox(world, ['sh', '-c', script], { write: [OPEN_DIR], read: [`${CHECKOUT}/.env`] });
    expect(ended.out).toBe('SECRET\nTOKEN=SECRET\n');
    expect(ended.err).toContain('Read-only');
    expect(existsSync(join(OPEN_DIR, 'added'))).toBe(true);
  });

  it('never sees the directories of devflow, even if a person added one above', async () => {
    const world = await outsideWorld();
    const ended = await inSandbox(world, ['sh', '-c', `ls -A ${world.root}; cat ${world.outside.DEVFLOW}/.env`], {
      read: [world.root],
    });
    expect(ended.out).toContain('open');
    expect(ended.err).toContain('No such file');
  });

  it('may tidy up when its group is asked to end', async () => {
    const world = await outsideWorld();
    const [program = '', ...words] = await wordsFor(world);
    const script = 'trap "sleep 0.2; echo bye; exit 3" TERM; echo ready; while :; do sleep 0.05; done';
    const child = spawn(program, [...words, 'sh', '-c', script], {
      cwd: world.outside.WORKTREE,
      detached: true,
      env: world.env,
    });
    let said = '';
    const status = await new Promise((resolve) => {
      child.stdout.on('data', (text) => {
        said += text;
        if (said === 'ready\n') process.kill(-(child.pid ?? 0), 'SIGTERM');
      });
      child.once('close', resolve);
    });
    expect([status, said]).toEqual([3, 'ready\nbye\n']);
  });

  it('gets no directory by a link that an agent left in its place', async () => {
    const world = await outsideWorld();
    const { WORKTREE, HOME_DIR } = world.outside;
    rmSync(join(WORKTREE, '.devflow'), { recursive: true });
    symlinkSync(join(HOME_DIR, '.ssh'), join(WORKTREE, '.devflow'));
    const script = 'ls .devflow/ .devflow/artifacts; cat .devflow/id_ed25519; echo x >.devflow/artifacts/x';
    const ended = await inSandbox(world, ['sh', '-c', script], { permissionMode: 'read' });
    expect(ended.out).toBe('');
    expect(existsSync(join(HOME_DIR, '.ssh/artifacts'))).toBe(false);
  });

  it('finds a directory in the place of a link that it left in its home', async () => {
    const world = await outsideWorld();
    const { HOME_DIR, OPEN_DIR } = world.outside;
    writeFileSync(join(HOME_DIR, '.gitconfig'), '[user]\n\tname = Ada\n');
    const plant = `rm -rf ~/.local; ln -s ${OPEN_DIR} ~/.local; rm -f ~/.program; ln -s ../../../.. ~/.program`;
    await inSandbox(world, ['sh', '-c', plant]);
    const ended = await inSandbox(world, [
      'sh',
      '-c',
      'test -d ~/.local/bin && cat ~/.program/settings.json ~/.gitconfig',
    ]);
    expect(ended).toMatchObject({ status: 0, out: '{}\n[user]\n\tname = Ada\n' });
    expect(existsSync(join(OPEN_DIR, 'bin'))).toBe(false);
  });

  it('gets a copy of what it also writes, and shares what it renews', async () => {
    const world = await outsideWorld();
    const state = join(world.root, 'state');
    mkdirSync(state);
    for (const name of ['memory', 'login']) writeFileSync(join(state, name), 'old\n');
    const needs = { own: [state], copied: [join(state, 'memory')], shared: [join(state, 'login')] };
    const script = `cd ${state} && cat memory login && echo new >memory && echo new >login && echo more >other`;
    expect((await inSandbox(world, ['sh', '-c', script], { needs })).out).toBe('old\nold\n');
    const read = (name: string) => readFileSync(join(state, name), 'utf8');
    expect([read('memory'), read('login'), existsSync(join(state, 'other'))]).toEqual(['old\n', 'new\n', false]);
  });
});
