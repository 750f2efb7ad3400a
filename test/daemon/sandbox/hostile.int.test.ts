import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
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
    const secrets = ['.gem/credentials', '.local/share/uv/credentials/credentials.toml', '.dotnet/corefx/key'];
    for (const path of [...secrets, '.gem/ruby/bin/tool']) {
      mkdirSync(dirname(join(HOME_DIR, path)), { recursive: true });
      writeFileSync(join(HOME_DIR, path), 'SECRET\n');
    }
    const ended = await inSandbox(world, ['sh', '-c', `cd && cat ${secrets.join(' ')}; cat .gem/ruby/bin/tool`]);
    expect(ended.out).toBe('SECRET\n');
  });

  it('covers sockets in a directory that a person lets it write', async () => {
    const world = await outsideWorld();
    const socket = join(world.outside.OPEN_DIR, 'service.sock');
    const server = createServer((connection) => connection.end());
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const connect = `perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0); exit !connect($s, pack_sockaddr_un(shift))' ${socket}`;
    const script = `${connect} && echo reached; echo x >${world.outside.OPEN_DIR}/added`;
    expect((await inSandbox(world, ['sh', '-c', script], { write: [world.outside.OPEN_DIR] })).out).toBe('');
    expect(readFileSync(join(world.outside.OPEN_DIR, 'added'), 'utf8')).toBe('x\n');
  });
});
