import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noSandboxBecause } from '../../helpers/canSandbox.ts';
import { outsideWorld } from '../../helpers/outsideWorld.ts';
import { inSandbox, runWords, wordsFor } from '../../helpers/sandboxed.ts';
import { until } from '../../helpers/until.ts';

const NOT_AS_PREPARED = 125;

describe.skipIf(noSandboxBecause)('a sandbox that somebody works against', () => {
  it.each(['is still there', 'is gone again when the program starts'])(
    'does not start by a link in the place of a directory that a reader writes to, which %s',
    async (when) => {
      const world = await outsideWorld();
      const { COMMON, WORKTREE, SESSION } = world.outside;
      const words = await wordsFor(world, { permissionMode: 'read' });
      // Another agent of the worktree does this while devflow starts the reader.
      const place = join(WORKTREE, '.devflow/artifacts');
      renameSync(place, `${place}.kept`);
      symlinkSync(relative(dirname(place), join(COMMON, 'hooks')), place);
      // All is mounted here, and nothing is checked yet.
      const pause = 'touch /tmp/mounted; while [ ! -e /tmp/go ]; do sleep 0.02; done; exec "$0" "$@"';
      words.splice(words.lastIndexOf('-e') - 1, 0, '/bin/sh', '-c', pause);
      const ending = runWords(world, [...words, '/bin/sh', '-c', `echo evil >${COMMON}/hooks/post-commit`]);
      const inTmp = (name: string) => join(SESSION, 'sandbox/tmp', name);
      await until('all is mounted', () => existsSync(inTmp('mounted')));
      if (when.startsWith('is gone')) {
        renameSync(place, `${place}.link`);
        renameSync(`${place}.kept`, place);
      }
      writeFileSync(inTmp('go'), '');
      const { status, err } = await ending;
      expect(existsSync(join(COMMON, 'hooks/post-commit'))).toBe(false);
      expect([status, err]).toEqual([NOT_AS_PREPARED, expect.stringContaining('devflow: the sandbox was not started')]);
    },
  );

  it.each(['ends in a slash', 'goes up again', 'is a link', 'has a link above it'])(
    'hides devflow where a path of the person shows it that %s',
    async (what) => {
      const world = await outsideWorld();
      const { root } = world;
      symlinkSync(root, join(root, 'open/link'));
      mkdirSync(join(root, 'devflow/deep'));
      writeFileSync(join(root, 'devflow/deep/file'), 'SECRET\n');
      const [path, shown] = {
        'ends in a slash': [`${root}/`, root],
        'goes up again': [`${root}/open/..`, root],
        'is a link': [join(root, 'open/link'), join(root, 'open/link')],
        'has a link above it': [join(root, 'open/link/devflow/deep'), join(root, 'open/link/devflow/deep/..')],
      }[what] as [string, string];
      const script = `ls -d ${shown} && cat ${shown}/devflow/.env ${shown}/.env ${shown}/deep/file ${path}/file`;
      const ended = await inSandbox(world, ['sh', '-c', script], { read: [path] });
      expect(ended.out).not.toContain('SECRET');
    },
  );

  it('shows no credentials that a tool keeps beside its programs', async () => {
    const world = await outsideWorld();
    const { HOME_DIR } = world.outside;
    const secrets = [
      ...['.gem/credentials', '.local/share/uv/credentials/credentials.toml', '.dotnet/corefx/key'],
      ...['.nvm/versions/node/v22.1.0/etc/npmrc', '.local/share/fnm/node-versions/v22.1.0/installation/etc/npmrc'],
    ];
    for (const path of [...secrets, '.gem/ruby/bin/tool']) {
      mkdirSync(dirname(join(HOME_DIR, path)), { recursive: true });
      writeFileSync(join(HOME_DIR, path), 'SECRET\n');
    }
    const ended = await inSandbox(world, ['sh', '-c', `cd && cat ${secrets.join(' ')}; cat .gem/ruby/bin/tool`]);
    expect(ended.out).toBe('SECRET\n');
  });

  it('shows no credentials by a link, and starts where a link to them is', async () => {
    const world = await outsideWorld();
    const { HOME_DIR } = world.outside;
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(HOME_DIR, path)), { recursive: true });
      writeFileSync(join(HOME_DIR, path), text);
    };
    write('dotfiles/credentials', 'SECRET\n');
    write('.dotnet/kept/corefx/key', 'SECRET\n');
    write('.gem/ruby/bin/tool', 'tool\n');
    rmSync(join(HOME_DIR, '.gem/credentials'));
    symlinkSync('../dotfiles/credentials', join(HOME_DIR, '.gem/credentials'));
    symlinkSync('kept/corefx', join(HOME_DIR, '.dotnet/corefx'));
    const script = 'cd && cat .gem/credentials .dotnet/corefx/key .dotnet/kept/corefx/key; cat .gem/ruby/bin/tool';
    expect((await inSandbox(world, ['sh', '-c', script])).out).toBe('tool\n');
  });

  it('starts where a directory of devflow is a link in one that a person added', async () => {
    const world = await outsideWorld();
    const { root } = world;
    const settings = join(root, 'home/.config');
    mkdirSync(join(root, 'dotfiles/devflow'), { recursive: true });
    writeFileSync(join(root, 'dotfiles/devflow/.env'), 'SECRET\n');
    symlinkSync('../../dotfiles/devflow', join(settings, 'devflow'));
    const given = { ...world, hidden: [...world.hidden, join(settings, 'devflow')] };
    const script = `cat ${settings}/gh/hosts.yml; cat ${settings}/devflow/.env ${root}/dotfiles/devflow/.env; echo end`;
    const read = (read: string[]) => inSandbox(given, ['sh', '-c', script], { read });
    expect((await read([settings])).out).toBe('SECRET\nend\n');
    expect((await read([settings, join(root, 'dotfiles')])).out).toBe('SECRET\nend\n');
  });

  it.each([
    ['', 'open', 'open'],
    [', by a link', 'open', 'link'],
    [', which was opened by a link', 'link', 'open'],
  ])('covers sockets in a directory that a person lets it write%s', async (_, opened, added) => {
    const world = await outsideWorld();
    symlinkSync(world.outside.OPEN_DIR, join(world.root, 'link'));
    const server = createServer((connection) => connection.end());
    await new Promise<void>((resolve) => server.listen(join(world.root, opened, 'service.sock'), resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const directory = join(world.root, added);
    const socket = join(directory, 'service.sock');
    const connect = `perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0); exit !connect($s, pack_sockaddr_un(shift))' ${socket}`;
    const script = `${connect} && echo reached; echo x >${directory}/added`;
    expect((await inSandbox(world, ['sh', '-c', script], { write: [directory] })).out).toBe('');
    expect(readFileSync(join(world.outside.OPEN_DIR, 'added'), 'utf8')).toBe('x\n');
  });
});
