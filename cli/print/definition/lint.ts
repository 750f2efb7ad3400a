import type { LintReport } from '../../../schemas/rpc/views/lint.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Io } from '../../io/io.ts';
import { paint, printJson } from '../output.ts';
import { visible } from '../text.ts';

/** Prints what lint found in each file, and returns the exit code. */
export function printLint(
  io: Io,
  reports: readonly LintReport[],
  { json, strict }: { json?: boolean; strict?: boolean },
): number {
  const findings = reports.flatMap((report) => report.findings);
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  if (json) printJson(io, reports);
  else {
    for (const finding of findings) io.out(`${lineOf(io, finding)}\n`);
    const counts = `${counted(errors, 'error')} and ${counted(warnings, 'warning')} in ${counted(reports.length, 'text')}`;
    io.out(`${reports.some(({ more }) => more) ? 'At least ' : ''}${counts}.\n`);
  }
  return errors > 0 || (strict && warnings > 0) ? 1 : 0;
}

/** The second line says what to do. Editors read the first. */
function lineOf(io: Io, { file, line, column, severity, code, message, hint }: LintReport['findings'][number]): string {
  const word = paint(io, severity === 'error' ? 'red' : 'yellow', severity);
  return `${visible(`${file}:${line}:${column}`)}: ${word} ${code}: ${visible(message)}\n  ${visible(hint)}`;
}
