import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkBrief } from '../../../../schemas/contracts/handover/document/brief.ts';
import { HANDOVER, HANDOVER_KINDS } from '../../../../schemas/contracts/handover/document/contract.ts';
import { checkResearch } from '../../../../schemas/contracts/handover/document/research.ts';
import { checkPlan } from '../../../../schemas/contracts/handover/plan/plan.ts';
import { checkProgress } from '../../../../schemas/contracts/handover/progress/progress.ts';
import { checkReview } from '../../../../schemas/contracts/handover/review/review.ts';
import { checkSessionPrompt } from '../../../../schemas/contracts/handover/session/sessionPrompt.ts';
import { checkSessionState } from '../../../../schemas/contracts/handover/session/sessionState.ts';
import { CODES, type ContractCode } from '../../../../schemas/contracts/report/codes.ts';
import type { Mode, Report } from '../../../../schemas/contracts/report/report.ts';
import type { FileText } from '../../../../schemas/contracts/report/tree.ts';
import {
  errorsOf,
  file,
  givenBrief,
  givenPlan,
  givenProgress,
  givenPrompt,
  givenResearch,
  givenReview,
  givenState,
  givenStep,
  LINK,
} from './given.ts';

const MODES: readonly Mode[] = ['strict', 'soft'];
const CHECKS: Record<string, (given: FileText, mode: Mode) => Report> = {
  brief: (given, mode) => checkBrief(given, 'f', mode),
  research: (given, mode) => checkResearch(given, 'f', mode),
  plan: (given) => checkPlan(given, 'f'),
  progress: (given) => checkProgress(given, 'f'),
  review: (given, mode) => checkReview(given, 'f', mode),
  'session-state': (given) => checkSessionState(given, 'f'),
  'session-prompt': (given) => checkSessionPrompt(given, 'f', { state: file(givenState()) }),
};
/** A document of every kind, as its current version has it. */
const DOCUMENTS: Record<string, string> = {
  brief: givenBrief({ brief_version: HANDOVER.versions.brief.current }),
  research: givenResearch(),
  plan: givenPlan(undefined, { plan_version: HANDOVER.versions.plan.current }),
  progress: givenProgress({ schema_version: HANDOVER.versions.progress.current }),
  review: givenReview({ review_version: HANDOVER.versions.review.current }),
  'session-state': givenState({ schema_version: HANDOVER.versions['session-state'].current }),
  'session-prompt': givenPrompt(),
};
const KINDS = Object.keys(CHECKS);

test('HC-0.2: every validator answers with a report of codes that are listed for its contract', () => {
  for (const kind of KINDS) {
    for (const text of ['', 'x', '---\na:\n  b: 1\n---\n', DOCUMENTS[kind] ?? '']) {
      const report = (CHECKS[kind] as (typeof CHECKS)[string])(file(text), 'strict');
      expect(Object.keys(report).sort()).toEqual(['contract', 'errors', 'parsed', 'subject', 'valid', 'warnings']);
      expect(report.valid).toBe(report.errors.length === 0);
      for (const { code } of [...report.errors, ...report.warnings]) {
        expect(CODES[code].contracts).toContain(`handover/${kind}@1`);
      }
    }
  }
});

test('HC-0.4: what only warns leaves a document valid', () => {
  const warned = checkBrief(file(givenBrief({ brief_version: '3.0' })), 'f', 'strict');
  expect([warned.valid, warned.warnings.length]).toEqual([true, 1]);
});

describe('HC-0.5: the versions of documents', () => {
  test('HC-0.5: a document of the current version is valid without a warning', () => {
    for (const kind of KINDS) {
      const report = CHECKS[kind]?.(file(DOCUMENTS[kind] ?? ''), 'strict');
      expect([kind, report?.errors, report?.warnings]).toEqual([kind, [], []]);
    }
  });
  test('HC-0.5: a version is read as it stands, with quotes and without', () => {
    for (const version of ['2.0', '"2.0"', "'2.0' # now"]) {
      expect(checkBrief(file(givenBrief({ brief_version: version })), 'f', 'strict').warnings).toEqual([]);
    }
    expect(checkPlan(file(givenPlan(undefined, { plan_version: '1.70' })), 'f').warnings).toHaveLength(1);
  });
  test('HC-0.5: no document has an older version that is read without a fixture of it', () => {
    const older = Object.entries(HANDOVER.versions).flatMap(([kind, versions]) =>
      versions.older.map((each) => [kind, each]),
    );
    expect(older).toEqual([]);
  });
});

test.each(['brief', 'research', 'review', 'plan', 'session-prompt'])(
  'HC-0.6: the frontmatter of a %s has one level',
  (kind) => {
    const add = (line: string) => (DOCUMENTS[kind] ?? '').replace('---\n', `---\n${line}\n`);
    const errors = (text: string) => errorsOf((CHECKS[kind] as (typeof CHECKS)[string])(file(text), 'strict'));
    expect(errors(add('extra:\n  nested: 1'))).toEqual(['FM_NESTED']);
    expect(errors(add('extra: 1\nextra: 2'))).toEqual(['FM_DUPLICATE_KEY']);
    expect(errors(add('no field'))).toEqual(['FM_SYNTAX']);
    expect(errors((DOCUMENTS[kind] ?? '').replace(/\n---\n/, '\n'))).toEqual(['FM_UNTERMINATED']);
    expect(errors(`\uFEFF${DOCUMENTS[kind]}`.replaceAll('\n', '\r\n'))).toEqual([]);
  },
);

test('HC-0.8: what cannot be read is a READ_ERROR of its kind', () => {
  for (const kind of KINDS) {
    const errors = MODES.flatMap((mode) => errorsOf((CHECKS[kind] as (typeof CHECKS)[string])(LINK, mode)));
    expect(errors.every((code) => code.endsWith('_READ_ERROR'))).toBe(true);
  }
});

test('HC-0.9: a section inside a fence is none', () => {
  const text = givenBrief({}, '```md\n## Intent\n## Goal\n## Success Criteria\n```\n');
  expect(errorsOf(checkBrief(file(text), 'f', 'strict'))).toEqual(Array(3).fill('BRIEF_MISSING_SECTION'));
});

test('every kind of handover has a file of its own', () => {
  expect(Object.keys(HANDOVER.files)).toEqual([...HANDOVER_KINDS]);
});

/** A document with a few lines removed, repeated, swapped or replaced. */
const changed = (text: string) => {
  const lines = text.split('\n');
  const index = fc.nat({ max: lines.length - 1 });
  const change = fc.oneof(
    fc.tuple(fc.constant('remove' as const), index, fc.constant('')),
    fc.tuple(fc.constant('repeat' as const), index, fc.constant('')),
    fc.tuple(
      fc.constant('value' as const),
      index,
      fc.oneof(fc.constantFrom('0', '-1', 'null', '[a]', '""', 'x', '2.0'), fc.string()),
    ),
    fc.tuple(
      fc.constant('line' as const),
      index,
      fc.oneof(fc.constantFrom('---', '## Intent', '```', '### Step 1: x'), fc.string()),
    ),
  );
  return fc.array(change, { maxLength: 6 }).map((changes) => {
    const result: (string | undefined)[] = [...lines];
    for (const [what, at, given] of changes) {
      const line = result[at] ?? '';
      if (what === 'remove') result[at] = undefined;
      else if (what === 'repeat') result[at] = `${line}\n${line}`;
      else if (what === 'value') result[at] = line.replace(/:.*/s, () => `: ${given}`);
      else result[at] = given;
    }
    return result.filter((line) => line !== undefined).join('\n');
  });
};

describe.each(KINDS)('whatever a %s contains', (kind) => {
  const check = CHECKS[kind] as (typeof CHECKS)[string];
  const text = fc.oneof(changed(DOCUMENTS[kind] ?? ''), fc.string({ unit: 'binary' }), fc.json());

  test('HC-8.2: the soft errors are among the strict ones, and both find the same', () => {
    fc.assert(
      fc.property(text, (given) => {
        const [strict, soft] = [check(file(given), 'strict'), check(file(given), 'soft')];
        const key = (finding: object) => JSON.stringify(finding);
        const strictErrors = new Set(strict.errors.map(key));
        expect(soft.errors.filter((finding) => !strictErrors.has(key(finding)))).toEqual([]);
        const all = ({ errors, warnings }: Report) => [...errors, ...warnings].map(key).sort();
        expect(all(soft)).toEqual(all(strict));
      }),
      { numRuns: 300 },
    );
  });

  test('it is answered with short messages, and the same answer comes again', () => {
    fc.assert(
      fc.property(text, (given) => {
        const report = check(file(given), 'strict');
        expect(report).toEqual(check(file(given), 'strict'));
        expect([...report.errors, ...report.warnings].filter(({ message }) => message.length > 400)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('hostile documents', () => {
  const million = (line: string) => `${line}\n`.repeat(1_000_000);
  test.each<[string, string, ContractCode, string]>([
    ['a million forbidden headings', 'plan', 'PLAN_FORBIDDEN_HEADING', givenPlan([million('### Phase 1')])],
    ['a million steps', 'plan', 'PLAN_STEP_NUMBERING', givenPlan([million('### Step 1: x')])],
    ['a million near steps', 'plan', 'PLAN_NO_STEPS', givenPlan([million('### Step 1 x')])],
    ['a million fields', 'brief', 'FM_DUPLICATE_KEY', givenBrief().replace('---\n', `---\n${million('a: 1')}`)],
    [
      'a million lines that are no fields',
      'review',
      'FM_SYNTAX',
      givenReview().replace('---\n', `---\n${million('x')}`),
    ],
    [
      'deep JSON',
      'session-state',
      'SESSION_STATE_PARSE_ERROR',
      `{"a":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
    ],
    [
      'a long text',
      'progress',
      'PROGRESS_INVALID_FIELD',
      givenProgress({ plan: 'x'.repeat(10_000_000), status: 'y'.repeat(1_000_000) }),
    ],
    [
      'deep YAML',
      'plan',
      'MANIFEST_SYNTAX',
      givenPlan([givenStep(1, 'x', `\`\`\`yaml\nmanifest:\n  a: ${'['.repeat(10_000)}\n\`\`\`\n`)]),
    ],
    [
      'a million escapes',
      'plan',
      'MANIFEST_SYNTAX',
      givenPlan([givenStep(1, 'x', `\`\`\`yaml\nmanifest:\n  a: "${'\\('.repeat(1_000_000)}"\n\`\`\`\n`)]),
    ],
    [
      'many long manifests',
      'plan',
      'MANIFEST_SYNTAX',
      givenPlan(
        Array.from({ length: 500 }, (_, at) =>
          givenStep(at + 1, 'x', `\`\`\`yaml\nmanifest:\n  a: "${'\\('.repeat(5_000)}"\n\`\`\`\n`),
        ),
      ),
    ],
    [
      'a slug that a pattern could choke on',
      'brief',
      'BRIEF_INVALID_FIELD',
      givenBrief({ slug: `${'a-'.repeat(1_000_000)}_` }),
    ],
  ])('%s: not valid, in a short report', (_, kind, code, text) => {
    const { valid, errors, warnings } = (CHECKS[kind] as (typeof CHECKS)[string])(file(text), 'strict');
    expect([valid, errors.map(({ code: each }) => each)]).toEqual([false, expect.arrayContaining([code])]);
    expect(JSON.stringify([errors, warnings]).length).toBeLessThan(200_000);
  });

  test('names like __proto__ change nothing', () => {
    const brief = givenBrief({ __proto__: undefined }).replace('---\n', '---\n__proto__: x\nconstructor: y\n');
    expect(checkBrief(file(brief), 'f', 'strict')).toMatchObject({ valid: true });
    expect(({} as Record<string, unknown>).status).toBeUndefined();
    const manifest = '```yaml\nmanifest:\n  __proto__: {min_file_count: 1}\n```\n';
    expect(errorsOf(checkPlan(file(givenPlan([givenStep(1, 'x', manifest)])), 'f'))).toHaveLength(6);
  });
});
