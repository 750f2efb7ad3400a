import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Policy } from '../define/catalog.ts';
import { paint, printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

/** Checks a single word that only a shell can run, such as `'rm -rf /'`, as a shell command. */
export const action: Policy['check'] = async ({ argv: words }, { json }, io) => {
  const [line = ''] = words;
  const argv = words.length === 1 && /[\s;&|<>$`()]/.test(line) ? ['sh', '-c', line] : words;
  const verdict = await callDaemonOrOneshot(io, 'policy.check', { argv, cwd: io.cwd });
  if (json) printJson(io, verdict);
  else {
    const word = verdict.allowed ? paint(io, 'green', 'allowed') : paint(io, 'red', 'blocked');
    io.out(`${word}${verdict.rule ? ` by ${verdict.rule}` : ''}: ${visible(verdict.reason)}\n`);
  }
  return verdict.allowed ? 0 : 1;
};
