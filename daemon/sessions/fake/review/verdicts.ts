import { lineAt, type ReadFile } from './fileLines.ts';
import type { NamedFinding, VerdictPrompt } from './reviewPrompt.ts';

/** The artifact `dev/review-verdict@1`. Pure, but for `read`. */
export function verdictsOn({ findings, verdict, duplicates }: VerdictPrompt, read: ReadFile) {
  return {
    verdicts: findings.map((finding, index) => {
      const { id } = finding;
      const duplicate = duplicates.find((each) => each.finding === index + 1);
      const duplicateOf = duplicate ? (findings[duplicate.of - 1]?.id ?? null) : null;
      if (duplicateOf !== null && duplicateOf !== id) {
        const reason = `It is the same defect as ${duplicateOf}.`;
        return { id, verdict: 'duplicate' as const, duplicateOf, quote: quoteOf(finding, read), reason };
      }
      return { id, duplicateOf: null, ...judged(finding, verdict, read) };
    }),
  };
}

function judged(finding: NamedFinding, verdict: VerdictPrompt['verdict'], read: ReadFile) {
  const { path, line } = finding;
  switch (verdict) {
    case 'confirmed':
      return { verdict, quote: quoteOf(finding, read), reason: 'The line does what the finding says.' };
    case 'rejected':
      return { verdict, quote: quoteOf(finding, read), reason: 'The line does not do what the finding says.' };
    case 'unquoted':
      return { verdict: 'rejected' as const, quote: null, reason: 'The code does not do what the finding says.' };
    case 'misquoted': {
      const quote = { path, line, text: `No file has this text: misquoted ${finding.id}` };
      return { verdict: 'rejected' as const, quote, reason: 'The quoted line does not do what the finding says.' };
    }
    case 'cannot_tell':
      return { verdict, quote: null, reason: 'The code does not decide it.' };
    default:
      return verdict satisfies never;
  }
}

function quoteOf({ path, line }: NamedFinding, read: ReadFile) {
  const text = lineAt(read, path, line);
  return text === undefined ? null : { path, line, text };
}
