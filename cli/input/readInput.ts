import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { jsonFault } from '../../schemas/definitions/issueText.ts';
import { DevflowError, type ErrorCode } from '../../schemas/errors.ts';
import type { Io } from '../io/io.ts';
import { readPipe } from './readPipe.ts';

/** Larger than any sensible prompt, definition or artifact, and small enough for one message to the daemon. */
export const MAX_INPUT_BYTES = 4 * 1024 * 1024;

/** The text of a file, or of standard input for `-`. `what` ("the requirements file") and `code` are for errors. */
export async function readInput(io: Io, file: string, what: string, code: ErrorCode = 'usage'): Promise<string> {
  const bytes = file === '-' ? await readStdin(io, what, code) : await readFile(io, file, what, code);
  if (bytes.length > MAX_INPUT_BYTES) throw tooLarge(what, file, code);
  if (bytes.includes(0)) throw new DevflowError(code, `${name(what, file)} is not a text file`, sentence(what));
  return bytes.toString('utf8').replace(/^\ufeff/, '');
}

/** A JSON value from a file. An error names the file and what the parser says. */
export async function readJson(io: Io, file: string, what: string): Promise<unknown> {
  return parseJson(await readInput(io, file, what), name(what, file));
}

export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DevflowError('usage', `${what} cannot be read as JSON: ${jsonFault(error as Error)}`, {
      recoveryHint: 'Fix it, then try again.',
    });
  }
}

async function readFile(io: Io, file: string, what: string, code: ErrorCode): Promise<Buffer> {
  const path = resolve(io.cwd, file);
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw new DevflowError(code, `${name(what, file)} is a directory`, sentence(what));
    if (!stat.isFile()) return await readOther(io, path, name(what, file), code);
    if (stat.size > MAX_INPUT_BYTES) throw tooLarge(what, file, code);
    return readFileSync(path);
  } catch (cause) {
    if (cause instanceof DevflowError) throw cause;
    const why = { ENOENT: 'does not exist', EACCES: 'cannot be read: permission denied' }[
      (cause as NodeJS.ErrnoException).code ?? ''
    ];
    const message = `${name(what, file)} ${why ?? `cannot be read: ${(cause as Error).message}`}`;
    throw new DevflowError(code, message, { ...sentence(what), cause, data: { path } });
  }
}

/** A pipe, such as bash's `<(…)`, or a device. */
async function readOther(io: Io, path: string, named: string, code: ErrorCode): Promise<Buffer> {
  const bytes = await readPipe(path, MAX_INPUT_BYTES, () => io.err(`Waiting for ${named}: it has no writer yet.\n`));
  if (bytes) return bytes;
  throw new DevflowError(code, `${named} is a pipe without a writer`, {
    recoveryHint: 'Start its writer first, or give a regular file.',
    data: { path },
  });
}

async function readStdin(io: Io, what: string, code: ErrorCode): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)?.length ?? 0;
    if (size > MAX_INPUT_BYTES) throw tooLarge(what, '-', code);
  }
  return Buffer.concat(chunks);
}

function name(what: string, file: string): string {
  return file === '-' ? `${what} on standard input` : `${what} ${file}`;
}

function sentence(what: string) {
  return { recoveryHint: `Give ${what} as a readable text file, or - for standard input.` };
}

function tooLarge(what: string, file: string, code: ErrorCode): DevflowError {
  const limit = MAX_INPUT_BYTES / 1024 / 1024;
  return new DevflowError(code, `${name(what, file)} is larger than ${limit} MB`, {
    recoveryHint: 'Put most of it into files of the repository, and refer to them.',
    data: { limit: MAX_INPUT_BYTES },
  });
}
