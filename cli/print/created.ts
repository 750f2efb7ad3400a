import { shellWord } from '../../schemas/shellWord.ts';
import type { Io } from '../io/io.ts';
import { visible } from './text.ts';

/** Says where a new definition is, and what to do next. */
export function printCreated(io: Io, kind: 'template' | 'persona', path: string, draft: string | undefined): void {
  const about = draft ?? visible(shellWord(path));
  const what = draft === undefined ? '' : ', a draft';
  io.out(`Created ${visible(path)}${what}. Change it, then run devflow ${kind} lint ${about}.\n`);
  io.out(`When it is right: devflow ${kind} publish ${about}. From then on this version does not change.\n`);
}
