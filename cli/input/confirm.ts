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
  const isSure = await ask(io, question);
  if (!isSure) io.err('Nothing is changed.\n');
  return isSure;
}

/** On standard error. Only `y` or `yes` says yes; Ctrl-C and Ctrl-D say no. */
async function ask(io: Io, question: string): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: process.stderr });
  const refused = new AbortController();
  lines.on('SIGINT', () => refused.abort());
  lines.on('close', () => refused.abort());
  try {
    const answer = await lines.question(`${visible(question)} [y/N] `, { signal: refused.signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    io.err('\n');
    return false;
  } finally {
    lines.close();
  }
}
