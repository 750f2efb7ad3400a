import { describe, expect, test } from 'vitest';
import { runCli } from '../../cli/commandLine.ts';
import { fakeIo } from './fakeIo.ts';

async function run(...argv: string[]) {
  const io = fakeIo();
  return { code: await runCli(argv, io), ...io.written };
}

describe('the command line', () => {
  test('help goes to standard output and is no error', async () => {
    const { code, out, err } = await run('run', 'start', '--help');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('--requirements <file>');
  });
  test('shows the help without a command', async () => {
    expect(await run()).toMatchObject({ code: 0, out: expect.stringContaining('completion <shell>') });
  });
  test('hidden commands stay hidden', async () => {
    expect((await run('--help')).out).not.toContain('__complete');
  });
  test.each([
    [['frob'], /^devflow: unknown command 'frob' \[usage\]\. See devflow --help\.\n$/],
    [['staus'], /did you mean status\?/],
    [
      ['pause'],
      /^devflow: unknown command 'pause' \(did you mean run pause or schedule pause or cycle pause\?\) \[usage\]/,
    ],
    [['validate'], /\(did you mean template validate or persona validate or .*\?\) \[usage\]/],
    [['run', 'approve', 'x'], /\(did you mean approve\?\) \[usage\]/],
    [['run', 'list', '--frob'], /^devflow: unknown option '--frob' \[usage\]\. See devflow run list --help\.\n$/],
    [['host', 'list', '--frob'], /^devflow: unknown option '--frob' \[usage\]\. See devflow host list --help\.\n$/],
    [['status', 'list', '--frob'], /^devflow: unknown option '--frob' \[usage\]\. See devflow status --help\.\n$/],
    [['run', 'report'], /missing required argument 'run' \[usage\]/],
    [['run', 'show', 'a', 'b'], /too many arguments/],
    [['up', '--db', 'mysql'], /Allowed choices are embedded, compose, external/],
    [['run', 'events', 'x', '--after', 'y'], /--after y is not a whole number/],
    [['approval', 'approve', 'x', '--client-token', 'y'], /--client-token y is not a UUID/],
    [['rpc', 'run.list', '{'], /the parameters cannot be read as JSON/],
  ])('%j is a usage error in one sentence', async (argv, sentence) => {
    const { code, out, err } = await run(...argv);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(sentence);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
  test('shows the help of a group without a command as an error', async () => {
    const { code, err } = await run('run');
    expect(code).toBe(2);
    expect(err).toContain('run needs a command [usage]');
  });
  test('without a daemon: exit 1, what to do, and with --json an object', async () => {
    expect(await run('run', 'list')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/Start it with devflow up/),
    });
    const { err } = await run('run', 'list', '--json');
    expect(JSON.parse(err).error).toMatchObject({
      code: 'daemon_not_running',
      class: 'fatal',
      hint: expect.any(String),
    });
  });
  test('status answers also without a daemon', async () => {
    const { code, out, err } = await run('status', '--json');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(JSON.parse(out)).toMatchObject({ daemon: null, approvals: { pending: 0 } });
  });
  test('--json behind -- belongs to the command that is checked', async () => {
    const { err } = await run('run', 'list', '--frob', '--', '--json');
    expect(err).toMatch(/^devflow: /);
  });
  test('completes no ids without a daemon, and prints no error', async () => {
    expect(await run('__complete', 'zsh', '--', 'run', 'show', '')).toEqual({ code: 0, out: 'words\t\n', err: '' });
  });
});
