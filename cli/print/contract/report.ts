import type { Finding, Report } from '../../../schemas/contracts/report/report.ts';
import { findingSentence } from '../../../schemas/findings/locatedFinding.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Io } from '../../io/io.ts';
import { paint, printJson } from '../output.ts';
import { visible } from '../text.ts';

/** Prints a report. Returns the exit code: 0 if it is valid. */
export function printReport(io: Io, report: Report, json?: boolean): number {
  if (json) printJson(io, report);
  else {
    for (const finding of report.errors) io.out(`${paint(io, 'red', 'error')}    ${lineOf(finding)}\n`);
    for (const finding of report.warnings) io.out(`${paint(io, 'yellow', 'warning')}  ${lineOf(finding)}\n`);
    io.out(`${summaryOf(io, report)}\n`);
  }
  return report.valid ? 0 : 1;
}

/** Warnings beside an answer of a few lines, which a program may read. */
export function printWarnings(io: Io, findings: readonly Finding[]): void {
  for (const finding of findings) io.err(`${paint(io, 'yellow', 'warning')}  ${lineOf(finding)}\n`);
}

/** The findings and the verdict, without an exit code, for commands that print something else beside them. */
export function printFindings(io: Io, findings: readonly Finding[]): void {
  for (const finding of findings) io.out(`${paint(io, 'yellow', 'warning')}  ${lineOf(finding)}\n`);
}

function lineOf(finding: Finding): string {
  return visible(findingSentence(finding));
}

function summaryOf(io: Io, { subject, valid, errors, warnings }: Report): string {
  const verdict = valid ? paint(io, 'green', 'valid') : paint(io, 'red', 'not valid');
  const counts = [
    ...(errors.length > 0 ? [counted(errors.length, 'error')] : []),
    ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
  ];
  return `${visible(subject)}: ${verdict}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`;
}
