import { createInterface } from 'node:readline/promises';
import type { ApprovalDecisionAction } from '../../schemas/enums.ts';
import type { Io } from '../io/io.ts';

export interface Answer {
  action: ApprovalDecisionAction;
  comment?: string;
}

/** Asks a person at the terminal. Rejects with an abort error on Ctrl-C. */
export async function askPerson(io: Io, signal: AbortSignal): Promise<Answer> {
  const lines = createInterface({ input: io.stdin, output: process.stdout });
  // In raw mode Ctrl-C is a key and no signal.
  lines.on('SIGINT', () => process.emit('SIGINT'));
  try {
    for (;;) {
      const answer = readAnswer(await lines.question('[a]pprove, request [c]hanges or [r]eject? ', { signal }));
      if (answer !== 'request_changes') {
        if (answer) return { action: answer };
        continue;
      }
      const comment = (await lines.question('What should change? ', { signal })).trim();
      if (comment !== '') return { action: answer, comment };
    }
  } finally {
    lines.close();
  }
}

function readAnswer(text: string): ApprovalDecisionAction | undefined {
  const word = text.trim().toLowerCase();
  if (word === '') return undefined;
  const names: [string, ApprovalDecisionAction][] = [
    ['approve', 'approve'],
    ['yes', 'approve'],
    ['changes', 'request_changes'],
    ['request-changes', 'request_changes'],
    ['reject', 'reject'],
  ];
  const exact = names.find(([name]) => name === word);
  return (exact ?? { a: names[0], y: names[1], c: names[2], r: names[4] }[word])?.[1];
}
