import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Config } from '../../schemas/config/config.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { packageRoot, resolvePaths } from '../../schemas/files/paths.ts';
import { shellWord } from '../../schemas/text/visible.ts';

/** A socket's path is below 108 bytes. ssh puts 40 letters for %C and adds 17 while it opens the socket. */
const LONGEST_DIRECTORY = 108 - 40 - 17 - '/ssh-'.length - 1;

/** ssh splits the value of an option at spaces, and reads %, $ and quotes in it. */
const PLAIN_PATH = /^[^\s%$"'\\]+$/;

/**
 * The words that tell ssh the host, from `hosts.<id>.ssh`. Throws `config_invalid` if the configuration does not say
 * it.
 */
export function sshTo(host: string, hosts: Config['hosts']): string[] {
  const { ssh } = hosts[host] ?? {};
  if (ssh !== undefined) return typeof ssh === 'string' ? [ssh] : [...ssh];
  throw new DevflowError('config_invalid', `the pane is on host ${host}, and hosts.${host}.ssh is not set`, {
    recoveryHint: `Add to config.yaml how you log in there: hosts: {${host}: {ssh: user@name}}.`,
    data: { key: `hosts.${host}.ssh` },
  });
}

/**
 * The command that runs `words` on another host, on a terminal. ssh gives the far shell one text. So each word is quoted. A
 * bare `$3` would be the shell's third argument. A second attach soon after shares the connection of the first.
 */
export function sshArgv(destination: readonly string[], words: readonly string[], controlDirectory: string): string[] {
  const canShare = PLAIN_PATH.test(controlDirectory) && Buffer.byteLength(controlDirectory) <= LONGEST_DIRECTORY;
  const shared = canShare ? ['ControlMaster=auto', 'ControlPersist=60', `ControlPath=${controlDirectory}/ssh-%C`] : [];
  const options = shared.flatMap((option) => ['-o', option]);
  return ['ssh', '-t', ...options, ...destination, '--', ...words.map(shellWord)];
}

/** Puts ssh to that host in front of a command. It reads the settings only here, because that takes time. */
export function sshFor(host: string, env: NodeJS.ProcessEnv): (words: readonly string[]) => string[] {
  const program = join(packageRoot(), 'dist', 'commands', 'settings.cjs');
  const { readHosts } = createRequire(import.meta.filename)(program) as {
    readHosts(from: typeof env): Config['hosts'];
  };
  const destination = sshTo(host, readHosts(env));
  const { socketPath } = resolvePaths(env);
  return (words) => sshArgv(destination, words, dirname(socketPath));
}
