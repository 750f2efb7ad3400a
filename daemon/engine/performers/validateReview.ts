import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { normalPath } from '../../../schemas/files/repositoryPath.ts';
import { openPrivateGit } from '../../harness/privateGit/privateGit.ts';
import { fileLines } from '../../harness/review/fileLines.ts';
import type { Batch, Response, Verdicts } from '../core/review/artifacts.ts';
import { anchorQuote } from '../core/review/finding/anchor.ts';
import { witnessFaults } from '../core/review/finding/witness.ts';
import type { ReviewExpectation } from '../core/run/effect.ts';

type Of<T extends ReviewExpectation['what']> = Extract<ReviewExpectation, { what: T }>;
type Reviewed = Batch & {
  head: string;
  base: string;
  scope: { kind: string };
  coverage: { path: string; witness: { line: number; text: string }[] }[];
};

/** Whether an artifact agrees with what was asked, and with the reviewed commit. `data`: with what devflow found out. */
export function validateReview(
  expected: ReviewExpectation,
  data: unknown,
): Promise<{ errors: ValidationError[]; data: unknown }> {
  switch (expected.what) {
    case 'look':
      return validateLook(expected, data as Reviewed);
    case 'verdict':
      return validateVerdicts(expected, data as Verdicts);
    case 'fix':
      return Promise.resolve({ errors: eachOnce('answers', (data as Response).answers, expected.asked), data });
    default:
      return expected satisfies never;
  }
}

async function validateLook(expected: Of<'look'>, data: Reviewed) {
  const { head, base, scope, witnesses, prior, place } = expected;
  const linesOf = fileLines(await openPrivateGit(headAt(place, head)), head);
  const texts = new Map<string, readonly string[]>();
  for (const { path } of witnesses) texts.set(path, (await linesOf(path)) ?? []);
  const coverage = data.coverage.map((each) => ({ ...each, path: normalPath(each.path) }));
  const errors = [
    ...differs('head', data.head, head),
    ...differs('base', data.base, base),
    ...differs('scope/kind', data.scope.kind, scope),
    ...witnessFaults(witnesses, coverage, (path, line) => texts.get(path)?.[line - 1]),
    ...eachOnce('prior', data.prior, prior),
  ];
  const findings: Batch['findings'] = [];
  for (const finding of data.findings) {
    const lines = await linesOf(finding.path);
    findings.push({ ...finding, path: normalPath(finding.path), anchor: lines ? anchorQuote(lines, finding) : null });
  }
  return { errors, data: { findings, prior: data.prior } };
}

async function validateVerdicts({ place, head, asked, known }: Of<'verdict'>, data: Verdicts) {
  const linesOf = fileLines(await openPrivateGit(headAt(place, head)), head);
  const verdicts: Verdicts['verdicts'] = [];
  for (const verdict of data.verdicts) {
    const { quote } = verdict;
    const lines = quote && (await linesOf(quote.path));
    const isQuoted = quote && lines ? anchorQuote(lines, { line: quote.line, quote: quote.text }) !== null : false;
    const { id, verdict: said, duplicateOf, reason } = verdict;
    // Only known fields: an agent may write more, and the log would refuse them.
    const plain = quote && { path: quote.path, line: quote.line, text: quote.text };
    verdicts.push({ id, verdict: said, duplicateOf, reason, quote: plain, isQuoted });
  }
  const duplicates = new Set(verdicts.filter(({ verdict }) => verdict === 'duplicate').map(({ id }) => id));
  const wrong = verdicts.flatMap(({ duplicateOf }, index) => {
    const path = `/verdicts/${index}/duplicateOf`;
    if (duplicateOf === null) return [];
    if (!known.includes(duplicateOf)) return [{ path, message: 'Name the id of a Finding or Known line.' }];
    return duplicates.has(duplicateOf)
      ? [{ path, message: 'This one is itself a duplicate. Name the finding that stays.' }]
      : [];
  });
  return { errors: [...eachOnce('verdicts', data.verdicts, asked), ...wrong], data: { verdicts } };
}

/** A commit may be given by its first characters. */
function differs(field: string, given: string, wanted: string): ValidationError[] {
  if (given !== '' && wanted.startsWith(given)) return [];
  return [{ path: `/${field}`, message: `Write ${wanted}, as in the Review line.` }];
}

function eachOnce(list: string, items: readonly { id: string }[], asked: readonly string[]): ValidationError[] {
  const strange = items.flatMap(({ id }, index) =>
    asked.includes(id)
      ? []
      : [{ path: `/${list}/${index}/id`, message: 'Nobody asked about this id. Remove the entry.' }],
  );
  const missing = asked
    .filter((id) => items.filter((item) => item.id === id).length !== 1)
    .map((id) => ({ path: `/${list}`, message: `The list needs ${id} exactly once.` }));
  return [...strange, ...missing];
}

function headAt(place: Of<'look'>['place'], head: string) {
  return place.isDetached ? { ...place, head } : place;
}
