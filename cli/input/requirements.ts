import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { aboveScissors, SCISSORS } from '../client/scissors.ts';
import type { Io } from '../io/io.ts';
import { editText } from './editor.ts';
import { usage } from './parse.ts';
import { readInput } from './readInput.ts';

export interface RequirementsOptions {
  /** A file, or `-`. */
  requirements?: string;
  /** Paragraphs. */
  message?: string[];
}

/** True if the options have the requirements. Otherwise the person is asked for them. */
export function areGiven({ requirements, message }: RequirementsOptions): boolean {
  return requirements !== undefined || message !== undefined;
}

/** The requirements of a run: from `-m`, from a file, or from the person's editor, as for `git commit`. */
export async function readRequirements(io: Io, options: RequirementsOptions, about = ''): Promise<string> {
  const { requirements: file, message } = options;
  if (file !== undefined && message !== undefined) throw usage('-m and --requirements cannot be used together');
  const text = message?.join('\n\n') ?? (file === undefined ? await edited(io, about) : await fromFile(io, file));
  if (text.trim() !== '') return text;
  if (message !== undefined) {
    throw new DevflowError('requirements_missing', 'the requirements are empty', {
      recoveryHint: 'Say with -m what the run should do.',
    });
  }
  if (file !== undefined) throw new DevflowError('requirements_missing', 'the requirements are empty');
  throw new DevflowError('requirements_missing', 'the requirements are empty, so no run was started', {
    recoveryHint: 'Write what the run should do, save, and leave the editor.',
  });
}

function fromFile(io: Io, file: string): Promise<string> {
  return readInput(io, file, 'the requirements file', 'requirements_missing');
}

async function edited(io: Io, about: string): Promise<string> {
  if (!io.inIsTty || !io.outIsTty) {
    throw new DevflowError('requirements_missing', 'there are no requirements', {
      recoveryHint: 'Give them with -m "<text>" or --requirements <file>; --requirements - reads standard input.',
    });
  }
  const below = [SCISSORS, 'Write above this line what the run should do. Everything below is dropped.', '', about];
  const text = await editText(`\n${below.join('\n')}\n`, '.md', io.env);
  // An editor may be a script that replaces the file.
  return aboveScissors(text) ?? text.trim();
}

/** Saves the text that a person wrote in the editor, if the run did not start. */
export function keepText(io: Io, text: string): void {
  const file = join(mkdtempSync(join(tmpdir(), 'devflow-requirements-')), 'requirements.md');
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  io.err(`Your text is saved. To use it again: --requirements ${file}\n`);
}
