import { shellWord } from '../../schemas/shellWord.ts';
import type { Io } from '../io/io.ts';
import { visible } from './text.ts';

/** Says where a new definition is, and what to do next. */
export function printCreated(io: Io, kind: 'template' | 'persona', path: string): void {
  io.out(`Created ${visible(path)}. Change it, then run devflow ${kind} lint ${visible(shellWord(path))}.\n`);
}
