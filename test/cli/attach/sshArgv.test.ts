import { expect, test } from 'vitest';
import { sshArgv, sshTo } from '../../../cli/attach/sshArgv.ts';

test('quotes each word for the far shell', () => {
  const words = ['tmux', '-u', '-S', "/tmp/it's here", 'attach-session', '-t', '$3', ';', 'x'];
  expect(sshArgv(['ann@far'], words, '/run/d').slice(-10)).toEqual([
    ...['--', 'tmux', '-u', '-S', String.raw`'/tmp/it'\''s here'`, 'attach-session', '-t', "'$3'", "';'", 'x'],
  ]);
});

test('shares one connection, unless the path of its socket would be too long', () => {
  const short = sshArgv(['far'], ['true'], '/run/user/1000/devflow');
  expect(short).toContain('ControlPath=/run/user/1000/devflow/ssh-%C');
  expect(sshArgv(['-p', '22', 'far'], ['true'], `/${'d'.repeat(60)}`)).toEqual([
    ...['ssh', '-t', '-p', '22', 'far', '--', 'true'],
  ]);
});

test('shares no connection if ssh would misread the path of its socket', () => {
  for (const directory of ['/home/ann lee/devflow', '/tmp/50%zero', '/tmp/$HOME', '/tmp/a"b'])
    expect(sshArgv(['far'], ['true'], directory)).toEqual(['ssh', '-t', 'far', '--', 'true']);
});

test('says which setting is missing', () => {
  expect(sshTo('big', { big: { ssh: 'ann@big' } })).toEqual(['ann@big']);
  expect(sshTo('big', { big: { ssh: ['-p', '22', 'big'] } })).toEqual(['-p', '22', 'big']);
  expect(() => sshTo('far', {})).toThrow(
    expect.objectContaining({
      code: 'config_invalid',
      message: 'the pane is on host far, and hosts.far.ssh is not set',
      recoveryHint: expect.stringContaining('hosts: {far: {ssh: user@name}}'),
    }),
  );
});
