import { shorten } from '../../../text/phrases.ts';
import { checkFields, type Field, isMap } from '../../document/fields.ts';
import { type Finding, finding } from '../../report/report.ts';

/** The manifest of a step. */
export const MANIFEST_KEYS: readonly Field[] = [
  { name: 'expected_paths', kind: 'texts', isRequired: true, about: 'The files that the step leaves.' },
  {
    name: 'min_file_count',
    kind: 'number',
    isRequired: true,
    least: 0,
    about: 'At least so many of them must be there.',
  },
  {
    name: 'commit_message_pattern',
    kind: 'text',
    isRequired: true,
    about: 'A regular expression for the commit message of the step.',
  },
  { name: 'bash_syntax_check', kind: 'texts', isRequired: true, about: 'The shell scripts whose syntax is checked.' },
  { name: 'forbidden_paths', kind: 'texts', isRequired: true, about: 'The files that the step must not touch.' },
  {
    name: 'must_contain',
    kind: 'list',
    isRequired: true,
    holds: {
      fields: [
        { name: 'path', kind: 'text', isRequired: true },
        { name: 'pattern', kind: 'text', isRequired: true },
      ],
    },
    about: 'Regular expressions that files must match after the step.',
  },
];

/** The faults of a manifest's keys. Patterns of `skipped` keys are reported elsewhere. */
export function checkManifestKeys(
  manifest: Record<string, unknown>,
  skipped: ReadonlySet<string | undefined>,
  at: { path: string; line: number; step: number },
): Finding[] {
  const findings = checkFields(MANIFEST_KEYS, manifest).map(({ field, what, message }) =>
    finding(what === 'missing' ? 'MANIFEST_MISSING_KEY' : 'MANIFEST_INVALID_KEY', `Step ${at.step}: ${message}`, {
      ...at,
      field,
    }),
  );
  const { commit_message_pattern: pattern, must_contain: contents } = manifest;
  if (typeof pattern === 'string') findings.push(...patternFindings(pattern, 'commit_message_pattern', skipped, at));
  if (!Array.isArray(contents)) return findings;
  for (const item of contents) {
    if (isMap(item) && typeof item.path === 'string' && typeof item.pattern === 'string') {
      findings.push(...patternFindings(item.pattern, 'must_contain', skipped, at));
    } else {
      const message = `Step ${at.step}: must_contain has an item that is not {path, pattern}.`;
      findings.push(finding('MANIFEST_INVALID_KEY', message, { ...at, field: 'must_contain' }));
    }
  }
  return findings;
}

function patternFindings(
  pattern: string,
  field: string,
  skipped: ReadonlySet<string | undefined>,
  at: { path: string; line: number; step: number },
): Finding[] {
  if (skipped.has(field) || compiles(pattern)) return [];
  const message = `Step ${at.step}: the pattern “${shorten(pattern)}” of ${field} does not compile.`;
  return [finding('MANIFEST_PATTERN_INVALID', message, { ...at, field })];
}

/** A pattern is only compiled here: to match may take forever. */
function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
