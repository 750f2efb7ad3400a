import { createInterface } from 'node:readline/promises';
import { DevflowError } from '../schemas/errors.ts';
import type { Io } from './io.ts';
import { visible } from './text.ts';

/**
 * Asks a person at the terminal, on standard error. Only `y` or `yes` says yes; Ctrl-C and Ctrl-D say no. Throws usage where
 * nobody can be asked.
 */
export async function confirm(io: Io, question: string, unasked: { message: string; hint: string }): Promise<boolean> {
  if (!io.inIsTty || !io.errIsTty) throw new DevflowError('usage', unasked.message, { recoveryHint: unasked.hint });
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
