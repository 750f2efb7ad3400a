import { userInfo } from 'node:os';
import { DevflowError } from '../errors.ts';
import type { Env } from './paths.ts';

/** Variables that choose devflow's directories. */
const VARIABLES = [
  'DEVFLOW_HOME',
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'TMUX_TMPDIR',
  'TMPDIR',
];

/**
 * Characters that break in git, tmux, a shell or a socket. Backslashes are escapes there, control characters end lines, and
 * invalid UTF-8 becomes another name. Blanks, quotes and all other characters work.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const BREAKING = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029\ufffd]/;

/** Throws `config_invalid` for a directory with such a character. Pure. */
export function assertUsablePlaces(env: Env, workspaceRoot?: string): void {
  for (const name of VARIABLES) assertUsable(name, env[name]);
  assertUsable('WORKSPACE_ROOT', workspaceRoot);
}

function assertUsable(name: string, value: string | undefined): void {
  const found = BREAKING.exec(value ?? '')?.[0];
  if (found === undefined) return;
  throw new DevflowError('config_invalid', `${name} is ${JSON.stringify(value)}, which has ${nameOf(found)} in it.`, {
    recoveryHint: `Set ${name} to a directory without backslashes, line breaks and other control characters.`,
    data: { key: name },
  });
}

function nameOf(character: string): string {
  if (character === '\\') return 'a backslash';
  if (character === '\n') return 'a line break';
  if (character === '\ufffd') return 'a character that is not UTF-8';
  return `the control character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Throws `config_invalid` if the system knows no name for this user, because the embedded database needs one. */
export function assertKnownUser(lookUp: () => unknown = userInfo): void {
  try {
    lookUp();
  } catch (cause) {
    const message = `The system has no entry for the user ${process.getuid?.()}, which the embedded database needs.`;
    throw new DevflowError('config_invalid', message, {
      cause,
      recoveryHint: 'Add the user to /etc/passwd, or use another database: devflow up --db external.',
    });
  }
}
