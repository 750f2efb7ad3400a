import { askDaemonOrProgram } from '../askDaemonOrProgram.ts';
import type { Action } from '../io.ts';
import { paint, printJson } from '../output.ts';
import { visible } from '../text.ts';

export const action: Action = async ([argv]: [string[]], { json }: { json?: boolean }, io) => {
  const verdict = await askDaemonOrProgram(io, 'policy.check', { argv, cwd: io.cwd });
  if (json) printJson(io, verdict);
  else {
    const word = verdict.allowed ? paint(io, 'green', 'allowed') : paint(io, 'red', 'blocked');
    io.out(`${word}${verdict.rule ? ` by ${verdict.rule}` : ''}: ${visible(verdict.reason)}\n`);
  }
  return verdict.allowed ? 0 : 1;
};
