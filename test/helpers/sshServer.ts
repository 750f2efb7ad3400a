import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './until.ts';

/** Another host: this machine again, behind an ssh server of the test's own. */
export interface SshServer {
  /** For `hosts.<id>.ssh`: they name a configuration of the test's own, so nothing of the person is read. */
  words: string[];
  /** Ends the connection that ssh keeps for later calls in this directory, if it keeps one. */
  endShared(controlDirectory: string): void;
}

/** Debian has it outside of a person's PATH, and an ssh server must be started by its whole path. */
export function sshdProgram(): string | undefined {
  return ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/usr/bin/sshd'].find((path) => existsSync(path));
}

/** Starts it on 127.0.0.1 with keys of its own; it ends with the test. Needs `sshdProgram`. */
export async function startSshServer(directory: string): Promise<SshServer> {
  const file = (name: string, text?: string) => {
    const path = join(directory, name);
    if (text !== undefined) writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of ['host_key', 'user_key'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(directory, name)]);
  const publicKey = (name: string) =>
    execFileSync('ssh-keygen', ['-y', '-f', join(directory, name)], { encoding: 'utf8' });
  const port = await freePort();
  const { username } = userInfo();
  const home = join(directory, 'home');
  mkdirSync(home);
  const config = file(
    'sshd_config',
    [
      'ListenAddress 127.0.0.1',
      `Port ${port}`,
      `HostKey ${join(directory, 'host_key')}`,
      `AuthorizedKeysFile ${file('authorized_keys', publicKey('user_key'))}`,
      `PidFile ${join(directory, 'sshd.pid')}`,
      `AllowUsers ${username}`,
      // Directories of tests are in /tmp.
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'PermitRootLogin prohibit-password',
      'PrintMotd no',
      'PrintLastLog no',
      `SetEnv HOME=${home} PATH=${process.env.PATH}`,
      '',
    ].join('\n'),
  );
  const known = file('known_hosts', `[127.0.0.1]:${port} ${publicKey('host_key')}`);
  const client = file(
    'ssh_config',
    [
      'Host far',
      'HostName 127.0.0.1',
      `Port ${port}`,
      `User ${username}`,
      `IdentityFile ${join(directory, 'user_key')}`,
      'IdentitiesOnly yes',
      'IdentityAgent none',
      `UserKnownHostsFile ${known}`,
      'GlobalKnownHostsFile /dev/null',
      'StrictHostKeyChecking yes',
      '',
    ].join('\n'),
  );
  // Where the server of root drops its privileges. A running system makes it at boot.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  const child = spawn(sshdProgram() as string, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const failed = ended.then(() => {
    throw new Error(`sshd ended: ${said}`);
  });
  failed.catch(() => {});
  await Promise.race([until('sshd accepts connections', () => isOpen(port)), failed]);
  const words = ['-F', client, 'far'];
  return {
    words,
    endShared(controlDirectory) {
      // None where the path would be too long for a socket.
      if (!readdirSync(controlDirectory).some((name) => name.startsWith('ssh-'))) return;
      const path = `ControlPath=${controlDirectory}/ssh-%C`;
      execFileSync('ssh', ['-o', path, '-O', 'exit', ...words], { stdio: 'ignore' });
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
