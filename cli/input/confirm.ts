import { createInterface } from 'node:readline/promises';
import { DevflowError } from '../../schemas/errors.ts';
import type { Io } from '../io/io.ts';
import { visible } from '../print/text.ts';

/** Asks a person at the terminal. Throws a usage error without a terminal. */
export async function confirm(io: Io, question: string, unasked: { message: string; hint: string }): Promise<boolean> {
  if (!io.inIsTty || !io.errIsTty) throw new DevflowError('usage', unasked.message, { recoveryHint: unasked.hint });
  return saysYes(io, question);
}

/** The exit code after any answer but yes. */
export const DECLINED = 1;

/** Asks at a terminal before something ends. Does not ask a script, or with `--yes`. */
export async function confirmEnd(
  io: Io,
  { question, detail, yes }: { question: string; detail: string; yes: boolean | undefined },
): Promise<boolean> {
  if (yes || !io.inIsTty || !io.outIsTty) return true;
  io.err(`${visible(detail)}\n`);
  return saysYes(io, question);
}

async function saysYes(io: Io, question: string): Promise<boolean> {
  const isSure = await isYes(io, question);
  if (!isSure) io.err('Nothing is changed.\n');
  return isSure;
}

/** Only `y` or `yes` says yes; Ctrl-C and Ctrl-D say no. */
export async function isYes(io: Io, question: string): Promise<boolean> {
  const answer = await readAnswer(io, `${question} [y/N]`);
  return answer !== undefined && /^y(?:es)?$/i.test(answer);
}

/** One of several answers, by its letter or its word. Undefined after Ctrl-C, Ctrl-D or an empty line. */
export async function choose<T extends string>(
  io: Io,
  question: string,
  answers: Readonly<Record<string, T>>,
): Promise<T | undefined> {
  const letters = Object.keys(answers).join('/');
  for (;;) {
    const given = (await readAnswer(io, `${question} [${letters}]`))?.toLowerCase();
    if (given === undefined || given === '') return undefined;
    const found = Object.entries(answers).find(([letter, word]) => given === letter || given === word);
    if (found) return found[1];
  }
}

/** On standard error. Undefined after Ctrl-C and Ctrl-D. */
export async function readAnswer(io: Io, question: string): Promise<string | undefined> {
  const lines = createInterface({ input: io.stdin, output: process.stderr });
  const refused = new AbortController();
  lines.on('SIGINT', () => refused.abort());
  lines.on('close', () => refused.abort());
  try {
    return (await lines.question(`${visible(question)} `, { signal: refused.signal })).trim();
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    io.err('\n');
    return undefined;
  } finally {
    lines.close();
  }
}
