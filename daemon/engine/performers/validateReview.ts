import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { normalPath } from '../../../schemas/files/repositoryPath.ts';
import type { Batch, Response, Verdicts } from '../../kinds/review/artifacts.ts';
import type { ReviewExpectation } from '../../kinds/review/effect.ts';
import { witnessFaults } from '../../kinds/review/finding/witness.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { eachOnce } from './eachOnce.ts';
import { createQuoteFinder } from './quoteFinder.ts';

type Of<T extends ReviewExpectation['what']> = Extract<ReviewExpectation, { what: T }>;
type Reviewed = Batch & {
  head: string;
  base: string;
  scope: { kind: string };
  coverage: { path: string; side?: 'new' | 'old'; witness: { line: number; text: string }[] }[];
};

/** Compares an artifact with what was asked, and with the reviewed commit. `data`: with what devflow found out. */
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
  const { head, base, before, scope, witnesses, prior, place } = expected;
  const finder = createQuoteFinder(await openPrivateGit(headAt(place, head)), { head, before });
  const texts = new Map<string, readonly string[]>();
  for (const { path, side = 'new' } of witnesses) {
    texts.set(`${side} ${path}`, (await (side === 'old' ? finder.oldLinesOf : finder.linesOf)(path)) ?? []);
  }
  const coverage = data.coverage.map((each) => ({ ...each, path: normalPath(each.path) }));
  const errors = [
    ...differs('head', data.head, head),
    ...differs('base', data.base, base),
    ...differs('scope/kind', data.scope.kind, scope),
    ...witnessFaults(witnesses, coverage, (path, line, side) => texts.get(`${side} ${path}`)?.[line - 1]),
    ...eachOnce('prior', data.prior, prior),
  ];
  const findings: Batch['findings'] = [];
  for (const finding of data.findings) {
    findings.push({ ...finding, ...(await finder.anchorOf({ ...finding, path: normalPath(finding.path) })) });
  }
  return { errors, data: { findings, prior: data.prior } };
}

async function validateVerdicts({ place, head, before, asked, removed, known }: Of<'verdict'>, data: Verdicts) {
  const finder = createQuoteFinder(await openPrivateGit(headAt(place, head)), { head, before });
  const verdicts: Verdicts['verdicts'] = [];
  for (const verdict of data.verdicts) {
    const { id, verdict: said, duplicateOf, reason, quote } = verdict;
    const isQuoted = quote ? await finder.stands(quote, { isRemoved: removed.includes(id) }) : false;
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

function headAt(place: Of<'look'>['place'], head: string) {
  return place.isDetached ? { ...place, head } : place;
}
