import { LINT_CODES, type LintCode } from '../../lint/lintCodes.ts';
import { compareText } from '../../text/compareText.ts';
import type { Problem } from '../yamlFile.ts';

/** A fault of a definition, with its place and a hint. */
export interface LintFinding {
  code: LintCode;
  severity: 'error' | 'warning';
  file: string;
  /** Both count from 1. A finding without a place is at the beginning. */
  line: number;
  column: number;
  /** Dotted path in the document; empty for the whole document. */
  path: string;
  message: string;
  hint: string;
}

/** More than a person reads, and enough for any author. */
export const MOST_FINDINGS = 200;

/** Sorted by place. `more` says that findings were left out. */
export function findingsOf(problems: readonly Problem[]): { findings: LintFinding[]; more: boolean } {
  const findings = problems.map(findingOf).sort(byPlace);
  return { findings: findings.slice(0, MOST_FINDINGS), more: findings.length > MOST_FINDINGS };
}

function findingOf({ file, line = 1, column = 1, path, message, code = 'wrong_shape' }: Problem): LintFinding {
  const { severity, hint } = LINT_CODES[code];
  // The words of the type parser do not name the place.
  const said = code === 'wrong_shape' && path !== '' ? `${path}: ${message}` : message;
  return { code, severity, file, line, column, path, message: said, hint };
}

function byPlace(a: LintFinding, b: LintFinding): number {
  return a.line - b.line || a.column - b.column || compareText(a.code, b.code) || compareText(a.message, b.message);
}

/** By code units, so that no locale changes the order. */
