import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import type { Env } from '../../schemas/files/paths.ts';

/** Opens a text in the person's editor ($VISUAL, $EDITOR, vi) and returns the result. The editor needs the terminal. */
export function editText(text: string, suffix: string, env: Env = process.env): Promise<string> {
  return withScratch(`text${suffix}`, text, 0o600, async (file) => {
    await runEditor(file, { env });
    return readFile(file, 'utf8');
  });
}

/** Lends a temporary file of that name. */
export async function withScratch<T>(
  name: string,
  bytes: string | Uint8Array,
  mode: number,
  use: (file: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'devflow-edit-'));
  const file = join(directory, name);
  try {
    await writeFile(file, bytes, { mode: 0o600 });
    await chmod(file, mode);
    return await use(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Writes a text that devflow could not take to a file of its own, and returns the path. */
export async function keepText(text: string, name: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'devflow-edit-')), name);
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

/** The editor that the person has set. A blank value does not count: the shell would run the file itself. */
export function editorOf(env: Env): string | undefined {
  return env.VISUAL?.trim() || env.EDITOR?.trim() || undefined;
}

/** Runs the editor in a shell, as git does, because the variable may have arguments (`code --wait`). */
export function runEditor(
  file: string,
  { env = process.env, cwd, line }: { env?: Env; cwd?: string; line?: number | undefined } = {},
): Promise<void> {
  const command = editorOf(env) ?? 'vi';
  const words = editorArguments(command, file, line);
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', `${command} "$@"`, 'sh', ...words], { stdio: 'inherit', cwd });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) return resolve();
      const said =
        code === null ? 'was killed by a signal' : code === 127 ? 'is not installed' : `exited with code ${code}`;
      const message = `the editor (${command}) ${said}`;
      reject(new DevflowError('usage', message, { recoveryHint: 'Set VISUAL or EDITOR to your editor.' }));
    });
  });
}

/** Editors that take `+LINE file`. */
const PLUS = ['vi', 'vim', 'nvim', 'view', 'gvim', 'nano', 'pico', 'emacs', 'emacsclient', 'kak', 'micro', 'joe', 'ne'];
/** Editors that take `file:LINE`. */
const COLON = ['hx', 'helix', 'subl', 'zed'];
/** Editors that take `--goto file:LINE`. */
const GOTO = ['code', 'code-insiders', 'codium', 'cursor', 'windsurf'];

/** The words that make an editor open a file at a line. An unknown editor opens only the file. */
export function editorArguments(command: string, file: string, line?: number): string[] {
  const program = programOf(command);
  if (line === undefined) return [file];
  if (PLUS.includes(program)) return [`+${line}`, file];
  if (COLON.includes(program)) return [`${file}:${line}`];
  return GOTO.includes(program) ? ['--goto', `${file}:${line}`] : [file];
}

/** The name of the program that a shell would run: `/usr/bin/nvim -p` is `nvim`. */
function programOf(command: string): string {
  const [, double, single, plain] = /^\s*(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(command) ?? [];
  return (double ?? single ?? plain ?? '').split('/').at(-1) ?? '';
}
