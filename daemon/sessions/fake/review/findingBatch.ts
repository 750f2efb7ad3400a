import { lineAt, linesOf, type ReadFile } from './fileLines.ts';
import type { Find, LookPrompt } from './reviewPrompt.ts';

/** Marks a line as a defect for `Finds-Defects: yes`. */
export const DEFECT = 'defect-';

const PRIOR_EVIDENCE: Readonly<Record<LookPrompt['priorVerdict'], string>> = {
  fixed: 'It is gone.',
  present: 'It is still there.',
  cannot_tell: 'The code does not show it.',
};

/**
 * The artifact `dev/review-finding-batch@2` of a look. It agrees with version 1 if nothing was removed. Pure, but for `read`.
 */
export function findingBatch(prompt: LookPrompt, read: ReadFile) {
  const { head, base, scope, from, prior, priorVerdict } = prompt;
  return {
    head,
    base,
    scope: from === null ? { kind: scope } : { kind: scope, from },
    coverage: coverageOf(prompt, read),
    findings: findsOf(prompt, read).map((find, index) => findingOf(prompt, find, `F${index + 1}`)),
    prior: prior.map((id) => ({ id, verdict: priorVerdict, evidence: PRIOR_EVIDENCE[priorVerdict] })),
  };
}

function coverageOf({ quotes, quotesRemoved, before, quoting }: LookPrompt, read: ReadFile) {
  if (quoting === 'none') return [];
  const textOf = (path: string, line: number) =>
    quoting === 'wrong' ? 'This is not the text of the line.' : (lineAt(read, path, line) ?? '');
  const witness = (path: string, lines: readonly number[]) => lines.map((line) => ({ line, text: textOf(path, line) }));
  return [
    ...quotes.map(({ path, lines }) => ({ path, witness: witness(path, lines) })),
    ...quotesRemoved.map(({ path, lines }) => {
      return { path, side: 'old' as const, witness: witness(`${before}/${path}`, lines) };
    }),
  ];
}

type QuotedFind = Find & { quote: string };

/** The finds that the scenario names and the file has. Each line is reported once. */
function findsOf({ finds, findsDefects, quotes, before }: LookPrompt, read: ReadFile): QuotedFind[] {
  const named = finds.flatMap((find): QuotedFind[] => {
    const quote = lineAt(read, find.isRemoved ? `${before}/${find.path}` : find.path, find.line);
    return quote === undefined ? [] : [{ ...find, quote }];
  });
  if (!findsDefects) return named;
  const marked = [...new Set(quotes.map(({ path }) => path))].flatMap((path) => defectsIn(path, read(path) ?? ''));
  const isNamed = (defect: Find) => named.some(({ path, line }) => path === defect.path && line === defect.line);
  return [...named, ...marked.filter((defect) => !isNamed(defect))];
}

function defectsIn(path: string, text: string): QuotedFind[] {
  return linesOf(text).flatMap((quote, index): QuotedFind[] => {
    if (!quote.includes(DEFECT)) return [];
    return [{ severity: 'medium', path, line: index + 1, claim: `The line is a defect: ${quote.trim()}`, quote }];
  });
}

function findingOf(
  { reproduce, relayed }: LookPrompt,
  { severity, path, line, claim, quote, isRemoved }: QuotedFind,
  ref: string,
) {
  return {
    ref,
    category: 'correctness' as const,
    severity,
    path,
    ...(isRemoved && { side: 'old' as const }),
    line,
    endLine: line,
    quote,
    symbol: null,
    claim,
    failure: `Line ${line} of ${path} gives a wrong result.`,
    evidence: [`Read line ${line} of ${path}.`, ...relayed],
    reproduce: reproduce === null ? null : { argv: reproduce },
    preExisting: false,
  };
}
