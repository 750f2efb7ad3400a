import type { Verdict } from '../schemas/rpc/views/artifact.ts';
import type { Io } from './io.ts';
import { paint, printJson } from './output.ts';
import { oneLine } from './text.ts';

/** What a validator found, one line an error; returns the exit code. */
export function printVerdict(io: Io, verdict: Verdict, file: string, json?: boolean): number {
  if (json) printJson(io, verdict);
  else if (verdict.ok) io.out(`${oneLine(file)}: ${paint(io, 'green', 'valid')}\n`);
  else {
    for (const { path, message } of verdict.errors) io.out(`${oneLine(`${file}: ${path || '/'}: ${message}`)}\n`);
    if (verdict.errors.length === 0) io.out(`${oneLine(file)}: not valid\n`);
  }
  return verdict.ok ? 0 : 1;
}
