import { z } from 'zod';
import { FindingSeverity, ReviewScope } from '../../../../schemas/enums.ts';
import type { PromptEnvelope } from '../../../../schemas/envelope.ts';
import { relayedLines, valueFor, valuesFor } from './scenarioLines.ts';

type Prompt = Pick<PromptEnvelope, 'expectedSchema' | 'instructions' | 'roleId'>;

const Place = z.object({ path: z.string(), line: z.number().int().positive() });

/** A defect that the scenario lets a reviewer report. */
const Find = Place.extend({
  severity: FindingSeverity,
  claim: z.string(),
  /** True for a line that the change removed. */
  isRemoved: z.boolean().optional(),
});
export type Find = z.infer<typeof Find>;

/** A `Finding:` line of the prompt. */
const NamedFinding = Place.extend({ id: z.string() });
export type NamedFinding = z.infer<typeof NamedFinding>;

const PriorVerdict = z.enum(['fixed', 'present', 'cannot_tell']);

/** `unquoted` and `misquoted` reject a finding without a quote, and with a text that is not in the file. */
const VerdictWord = z.enum(['confirmed', 'rejected', 'unquoted', 'misquoted', 'cannot_tell']);

const LookPrompt = z.object({
  kind: z.literal('look'),
  head: z.string(),
  base: z.string(),
  scope: ReviewScope,
  from: z.string().nullable(),
  quotes: z.array(z.object({ path: z.string(), lines: z.array(z.number()) })),
  /** The removed lines to quote, with their paths below `before`. */
  quotesRemoved: z.array(z.object({ path: z.string(), lines: z.array(z.number()) })).default([]),
  /** The directory of old texts, relative to the worktree. */
  before: z.string().default(''),
  quoting: z.enum(['right', 'wrong', 'none']),
  finds: z.array(Find),
  /** True: it also reports every line with the word `defect-`. */
  findsDefects: z.boolean(),
  reproduce: z.array(z.string()).nullable(),
  /** Scenario lines for the verifier and the fixer. */
  relayed: z.array(z.string()),
  prior: z.array(z.string()),
  priorVerdict: PriorVerdict,
});
export type LookPrompt = z.infer<typeof LookPrompt>;

const VerdictPrompt = z.object({
  kind: z.literal('verdict'),
  findings: z.array(NamedFinding),
  verdict: VerdictWord,
  /** `finding` is a duplicate of `of`. Both count the `Finding:` lines, beginning with 1. */
  duplicates: z.array(z.object({ finding: z.number(), of: z.number() })),
});
export type VerdictPrompt = z.infer<typeof VerdictPrompt>;

/** A fixer's change besides, or in place of, its ordinary work. */
const FixChange = z.discriminatedUnion('what', [
  z.object({ what: z.literal('nothing') }),
  z.object({ what: z.literal('adds'), path: z.string(), lines: z.number() }),
  z.object({ what: z.literal('moves'), path: z.string(), to: z.string(), lines: z.number() }),
]);
export type FixChange = z.infer<typeof FixChange>;

const FixPrompt = z.object({ kind: z.literal('fix'), findings: z.array(NamedFinding), changes: z.array(FixChange) });
export type FixPrompt = z.infer<typeof FixPrompt>;

/** The request of a prompt in a review, and the fake agent's answer to it. */
export const ReviewPrompt = z.discriminatedUnion('kind', [LookPrompt, VerdictPrompt, FixPrompt]);
export type ReviewPrompt = z.infer<typeof ReviewPrompt>;

/** Reads a prompt by the lines of the engine and of the scenario. Undefined if it is not about a review. Pure. */
export function readReviewPrompt(prompt: Prompt, attempt: number): ReviewPrompt | undefined {
  const { expectedSchema, instructions, roleId } = prompt;
  const findings = findingsOf(instructions);
  switch (expectedSchema.split('@')[0]) {
    case 'dev/review-finding-batch':
      return readLook(prompt, attempt);
    case 'dev/review-verdict': {
      const verdict = wordFor(prompt, 'Verdicts', VerdictWord) ?? 'confirmed';
      return { kind: 'verdict', findings, verdict, duplicates: duplicatesFor(prompt) };
    }
    case 'dev/review-response':
      return { kind: 'fix', findings, changes: readChanges(valuesFor(instructions, 'Fixes', roleId)) };
    default:
      return undefined;
  }
}

const REVIEW = /^Review: head (\S+) base (\S+) scope (full|delta|closing)(?: from (\S+))?[ \t]*$/m;

/** The scenario lines of defects, by the scope of the look that reports them. */
const FINDS: Readonly<Record<ReviewScope, string>> = {
  full: 'Finds',
  delta: 'Finds-Delta',
  closing: 'Finds-Closing',
};

function readLook(prompt: Prompt, attempt: number): LookPrompt | undefined {
  const { instructions, roleId } = prompt;
  const [line, head = '', base = '', scopeWord, from = null] = REVIEW.exec(instructions) ?? [];
  if (line === undefined) return undefined;
  const scope = ReviewScope.parse(scopeWord);
  const finds = (key: string) => valuesFor(instructions, key, roleId).flatMap(readFind);
  const removed = scope === 'full' ? finds('Finds-Removed') : [];
  return {
    kind: 'look',
    head,
    base,
    scope,
    from,
    quotes: quotesOf(instructions, 'Quote'),
    quotesRemoved: quotesOf(instructions, 'Quote removed'),
    before: /^Before: .*?(\.devflow\/.+)$/m.exec(instructions)?.[1] ?? '',
    quoting: quotingOf(valueFor(instructions, 'Quotes', roleId), attempt),
    finds: [...finds(FINDS[scope]), ...removed.map((find) => ({ ...find, isRemoved: true }))],
    findsDefects: valueFor(instructions, 'Finds-Defects', roleId) === 'yes',
    reproduce: valueFor(instructions, 'Reproduce', roleId)?.split(/\s+/) ?? null,
    relayed: relayedLines(instructions),
    prior: [...instructions.matchAll(/^Prior: (\S+) /gm)].map(([, id = '']) => id),
    priorVerdict: wordFor(prompt, 'Prior-Says', PriorVerdict) ?? 'fixed',
  };
}

function quotingOf(word: string | undefined, attempt: number): LookPrompt['quoting'] {
  if (word === 'none') return 'none';
  return word === 'always-wrong' || (word === 'wrong' && attempt === 1) ? 'wrong' : 'right';
}

function readFind(value: string): Find[] {
  const [line, severity, path = '', at, claim = ''] = /^(\w+)\s+(\S+):(\d+)\s+(.+)$/.exec(value) ?? [];
  const read = Find.safeParse({ severity, path, line: Number(at), claim });
  return line !== undefined && read.success ? [read.data] : [];
}

function quotesOf(instructions: string, word: 'Quote' | 'Quote removed'): LookPrompt['quotes'] {
  const named = instructions.matchAll(new RegExp(`^${word}: (.+): (\\d+(?:, \\d+)*)[ \\t]*$`, 'gm'));
  return [...named].map(([, path = '', lines = '']) => ({ path, lines: lines.split(', ').map(Number) }));
}

function findingsOf(instructions: string): NamedFinding[] {
  const lines = instructions.matchAll(/^Finding: (\S+) (.+?):([1-9]\d*) (?:info|low|medium|high|critical) /gm);
  return [...lines].map(([, id = '', path = '', line]) => ({ id, path, line: Number(line) }));
}

function duplicatesFor({ instructions, roleId }: Prompt): VerdictPrompt['duplicates'] {
  return valuesFor(instructions, 'Duplicate', roleId).flatMap((value) => {
    const [line, finding, of] = /^(\d+) of (\d+)$/.exec(value) ?? [];
    return line === undefined ? [] : [{ finding: Number(finding), of: Number(of) }];
  });
}

function wordFor<T extends string>({ instructions, roleId }: Prompt, name: string, words: z.ZodType<T>): T | undefined {
  return words.safeParse(valueFor(instructions, name, roleId)).data;
}

/** Reads the values of `Fixes:` lines. Ignores what it does not know. Pure. */
export function readChanges(values: readonly string[]): FixChange[] {
  return values.flatMap((value): FixChange[] => {
    if (value === 'nothing') return [{ what: 'nothing' }];
    const [adds, path = '', lines] = /^adds (\S+) (\d{1,4})$/.exec(value) ?? [];
    if (adds !== undefined) return [{ what: 'adds', path, lines: Number(lines) }];
    const [moves, source = '', to = '', more] = /^moves (\S+) (\S+) (\d{1,4})$/.exec(value) ?? [];
    return moves === undefined ? [] : [{ what: 'moves', path: source, to, lines: Number(more) }];
  });
}
