import { shorten } from '../../../text/phrases.ts';
import type { Field } from '../../document/fields.ts';
import type { RawValue } from '../../document/frontmatter.ts';
import { type Finding, finding, type Mode, type Report } from '../../report/report.ts';
import type { FileText } from '../../report/tree.ts';
import { isVersion } from '../document/brief.ts';
import { FINDING_ID, TASK_FIELDS } from '../document/commonFields.ts';
import { handoverReport } from '../document/handoverReport.ts';
import { itemsOf, type ReadDocument, readDocument } from '../document/readDocument.ts';
import { type ReviewFinding, reviewFindings } from './reviewFindings.ts';

/** The frontmatter. */
export const REVIEW_FIELDS: readonly Field[] = [
  { name: 'review_version', kind: 'line', isRequired: true, about: 'The version of the form, N.M.' },
  ...TASK_FIELDS,
  { name: 'brief_path', kind: 'line', isRequired: true, about: 'The brief that the work followed.' },
  { name: 'scope_sha_end', kind: 'line', isRequired: true, about: 'The last commit that was reviewed.' },
  { name: 'reviewed_files_count', kind: 'whole', isRequired: true, least: 0, about: 'How many files were reviewed.' },
  {
    name: 'findings',
    kind: 'list',
    isRequired: true,
    holds: { texts: { pattern: FINDING_ID } },
    about: 'The ids of all findings, one on each line. Each has a section in the body.',
  },
  { name: 'created', kind: 'date', isRequired: false, about: 'The day of the review.' },
  {
    name: 'scope_sha_start',
    kind: 'line',
    isRequired: false,
    mayBeNull: true,
    about: 'The commit before the first one that was reviewed.',
  },
  {
    name: 'verdict',
    kind: 'line',
    isRequired: false,
    values: ['BLOCK', 'WARN', 'ALLOW'],
    about: 'BLOCK if the work must be repaired.',
  },
];

export interface Review {
  frontmatter: Record<string, unknown>;
  /** The findings of the body, the most severe first. */
  findings: ReviewFinding[];
}

/** Checks handover 6, `review.md`. */
export function checkReview(file: FileText, path: string, mode: Mode, subject = path): Report<Review> {
  const { findings, document } = readDocument({ kind: 'review', prefix: 'REVIEW', fields: REVIEW_FIELDS }, file, path);
  if (!document) return handoverReport<Review>({ kind: 'review', subject, mode, findings, parsed: null });
  const inBody = reviewFindings(document);
  return handoverReport({
    kind: 'review',
    subject,
    mode,
    findings: [
      ...findings.map((each) => withListCode(each, document.fields.get('findings'))),
      ...versionFindings(document, path),
      ...commitFindings(document, path),
      ...idFindings(document.fields.get('findings'), path),
      ...bodyFindings(document, inBody, path),
    ],
    parsed: { frontmatter: document.values, findings: inBody },
  });
}

/** A list in brackets is a text in frontmatter, and `findings:` alone is an empty one. Both are traps of their own. */
function withListCode(given: Finding, raw: RawValue | undefined): Finding {
  const isWrong = given.code === 'REVIEW_INVALID_FIELD' || (given.code === 'REVIEW_MISSING_FIELD' && raw !== undefined);
  if (!isWrong || given.field !== 'findings') return given;
  const message = 'findings must be a list with one id on each line, or [] without findings; it is a text.';
  return { ...given, code: 'REVIEW_BAD_FINDINGS_TYPE', message, line: raw?.line ?? given.line };
}

function versionFindings({ fields, values }: ReadDocument, path: string): Finding[] {
  const { review_version: version } = values;
  if (typeof version !== 'string' || version === '' || isVersion(version)) return [];
  const message = `review_version is “${shorten(version)}”, and must have the form N.M.`;
  const line = fields.get('review_version')?.line ?? null;
  return [finding('REVIEW_VERSION_FORMAT', message, { path, line, field: 'review_version' })];
}

const COMMIT = /^[0-9a-f]{4,64}$/i;

/** A name such as HEAD means another commit tomorrow. */
function commitFindings({ fields, values }: ReadDocument, path: string): Finding[] {
  return ['scope_sha_start', 'scope_sha_end'].flatMap((field) => {
    const value = values[field];
    if (typeof value !== 'string' || value === '' || COMMIT.test(value)) return [];
    const message = `${field} is “${shorten(value)}”, and must be the id of a commit.`;
    return [finding('REVIEW_INVALID_FIELD', message, { path, line: fields.get(field)?.line ?? null, field })];
  });
}

function idFindings(raw: RawValue | undefined, path: string): Finding[] {
  return (itemsOf(raw) ?? [])
    .filter((item) => typeof item !== 'string' || !FINDING_ID.test(item))
    .map((item) => {
      const shown = typeof item === 'string' ? `“${shorten(item)}”` : 'A map';
      const message = `${shown} is no id of 40 hex digits.`;
      return finding('REVIEW_BAD_FINDING_ID', message, { path, line: raw?.line ?? null, field: 'findings' });
    });
}

function bodyFindings({ fields }: ReadDocument, inBody: readonly ReviewFinding[], path: string): Finding[] {
  const raw = fields.get('findings');
  const items = itemsOf(raw);
  if (!items) return [];
  const listed = new Set(items.filter((item): item is string => typeof item === 'string' && FINDING_ID.test(item)));
  const sections = new Set(inBody.map(({ id }) => id));
  const absent = [...listed].filter((id) => !sections.has(id));
  return [
    ...absent.map((id) =>
      finding('REVIEW_FINDING_BODY_MISSING', `The finding ${id} has no section.`, {
        path,
        line: raw?.line ?? null,
        field: 'findings',
      }),
    ),
    ...inBody
      .filter(({ id }) => !listed.has(id))
      .map(({ id, line }) =>
        finding('REVIEW_FINDING_UNLISTED', `The finding ${id} is not listed in findings.`, { path, line }),
      ),
  ];
}
