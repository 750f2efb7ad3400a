import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { validateReview } from '../../../../daemon/engine/performers/validateReview.ts';
import type { ReviewExpectation } from '../../../../daemon/kinds/review/effect.ts';
import { checkoutDetached } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import { given, lines } from '../../repository/merge/given.ts';

/** A reviewed commit, and what a reviewer and a verifier of it are asked. */
async function givenReviewed() {
  const at = given();
  const head = at.commitOn('reviewed', ({ git, write }) => {
    write({ 'a.ts': lines('first line', '  second line', '', 'fourth line'), 'f.txt': lines('1', '2', '5') });
    git('rm', '-q', 'old.txt');
  });
  const path = join(at.runDir, 'lanes', 'review-1');
  await checkoutDetached({ repoPath: at.repo.dir, path, commit: head });
  const place = { repoPath: at.repo.dir, path, branch: '', startCommit: head, isDetached: true as const };
  const witnesses = [{ path: 'a.ts', lines: [1, 2] }];
  const look: ReviewExpectation = {
    what: 'look',
    place,
    head,
    base: at.base,
    before: [at.base],
    scope: 'full',
    witnesses,
    prior: ['one'],
  };
  const asked: ReviewExpectation = {
    what: 'verdict',
    place,
    head,
    before: [at.base],
    asked: ['one', 'two'],
    removed: ['two'],
    known: ['one', 'two', 'three'],
  };
  return { head, base: at.base, look, asked };
}

const witness = [
  { line: 1, text: 'first line' },
  { line: 2, text: '  second line' },
];
const fixed = { id: 'one', verdict: 'fixed', evidence: 'I looked.' };
const found = { ref: 'F1', path: 'a.ts', line: 1, endLine: 1, quote: 'first line' };

const batch = ({ head, base }: { head: string; base: string }, change: object = {}) => ({
  head,
  base,
  scope: { kind: 'full' },
  coverage: [{ path: 'a.ts', witness }],
  findings: [] as object[],
  prior: [fixed],
  ...change,
});
const verdict = (id: string, change: object = {}) => {
  return { id, verdict: 'confirmed', duplicateOf: null, quote: null, reason: 'It is so.', ...change };
};
const duplicate = (id: string, duplicateOf: string) => verdict(id, { verdict: 'duplicate', duplicateOf });
const fix: ReviewExpectation = { what: 'fix', asked: ['one', 'two'] };
const answers = (...ids: string[]) => ({ answers: ids.map((id) => ({ id, action: 'fixed', note: '' })) });

describe('a look', () => {
  it('agrees, also with the first characters of the commits', async () => {
    const at = await givenReviewed();
    const data = batch({ head: at.head.slice(0, 7), base: at.base.slice(0, 12) });
    expect(await validateReview(at.look, data)).toEqual({ errors: [], data: { findings: [], prior: [fixed] } });
  });

  it('is at another commit, base or scope', async () => {
    const at = await givenReviewed();
    const { errors } = await validateReview(at.look, batch({ head: at.base, base: '' }, { scope: { kind: 'delta' } }));
    expect(errors).toEqual([
      { path: '/head', message: `Write ${at.head}, as in the Review line.` },
      { path: '/base', message: `Write ${at.base}, as in the Review line.` },
      { path: '/scope/kind', message: 'Write full, as in the Review line.' },
    ]);
  });

  it('lacks a file to quote', async () => {
    const at = await givenReviewed();
    expect((await validateReview(at.look, batch(at, { coverage: [] }))).errors).toEqual([
      {
        path: '/coverage',
        message:
          'The file a.ts is missing. Read it, add an entry for it, and quote the text of the lines 1, 2 exactly.',
      },
    ]);
  });

  it('quotes another text, or not every line', async () => {
    const at = await givenReviewed();
    const coverage = [{ path: './a.ts', witness: [{ line: 2, text: 'first line' }] }];
    expect((await validateReview(at.look, batch(at, { coverage }))).errors).toEqual([
      {
        path: '/coverage',
        message: 'Line 1 of a.ts is missing. Read it, add it to "witness", and quote the text of that line exactly.',
      },
      {
        path: '/coverage/0/witness/0/text',
        message: 'This is not line 2 of a.ts in the reviewed commit. Read it, and quote the text of that line exactly.',
      },
    ]);
  });

  it('says nothing, or too much, of what was to be fixed', async () => {
    const at = await givenReviewed();
    const missing = { path: '/prior', message: 'The list needs one exactly once.' };
    expect((await validateReview(at.look, batch(at, { prior: [] }))).errors).toEqual([missing]);
    expect((await validateReview(at.look, batch(at, { prior: [fixed, fixed] }))).errors).toEqual([missing]);
    expect((await validateReview(at.look, batch(at, { prior: [fixed, { ...fixed, id: 'two' }] }))).errors).toEqual([
      { path: '/prior/1/id', message: 'Nobody asked about this id. Remove the entry.' },
    ]);
  });

  it('gets the places of its quotes', async () => {
    const at = await givenReviewed();
    const findings = [
      { ...found, path: './a.ts', line: 3, quote: 'second   line' },
      { ...found, quote: 'absent' },
      { ...found, path: 'absent.ts' },
    ];
    const { errors, data } = await validateReview(at.look, batch(at, { findings }));
    expect(errors).toEqual([]);
    expect(data).toMatchObject({
      findings: [
        { path: 'a.ts', anchor: { line: 2, text: 'secondlinefourthline', occurrence: 1 } },
        { path: 'a.ts', anchor: null },
        { path: 'absent.ts', anchor: null },
      ],
    });
  });
});

describe('removed lines', () => {
  const old = (path: string, line: number, quote: string) => ({
    ...found,
    path,
    line,
    endLine: line,
    quote,
    side: 'old',
  });

  it('are found beside where they stood, whether the reviewer says so or not', async () => {
    const at = await givenReviewed();
    const { side: _, ...unsaid } = old('f.txt', 3, '3');
    const findings = [
      old('f.txt', 4, '4'),
      unsaid,
      old('old.txt', 1, 'old'),
      old('f.txt', 5, '5'),
      old('f.txt', 3, '9'),
    ];
    const { errors, data } = await validateReview(at.look, batch(at, { findings }));
    expect(errors).toEqual([]);
    expect((data as { findings: { anchor: unknown }[] }).findings.map(({ anchor }) => anchor)).toEqual([
      { line: 2, text: '45', occurrence: 1, removed: { path: 'f.txt', line: 4 } },
      { line: 2, text: '345', occurrence: 1, removed: { path: 'f.txt', line: 3 } },
      { line: 1, text: 'old', occurrence: 1, removed: { path: 'old.txt', line: 1 } },
      { line: 3, text: '5', occurrence: 1 },
      null,
    ]);
  });

  it('are nowhere for a run of an older devflow', async () => {
    const at = await givenReviewed();
    const { data } = await validateReview(
      { ...at.look, before: [] } as ReviewExpectation,
      batch(at, { findings: [old('old.txt', 1, 'old')] }),
    );
    expect(data).toMatchObject({ findings: [{ anchor: null }] });
  });

  it('must be quoted as they were', async () => {
    const at = await givenReviewed();
    const look = { ...at.look, witnesses: [{ path: 'f.txt', side: 'old', lines: [3, 4] }] } as ReviewExpectation;
    const quoted = (side: string, first: string) => ({
      coverage: [
        {
          path: 'f.txt',
          side,
          witness: [
            { line: 3, text: first },
            { line: 4, text: '4' },
          ],
        },
      ],
    });
    expect((await validateReview(look, batch(at, quoted('old', '3')))).errors).toEqual([]);
    expect((await validateReview(look, batch(at, quoted('new', '3')))).errors).toEqual([
      {
        path: '/coverage',
        message:
          'The file f.txt, as it was before the change, is missing. Read it below the Before directory, add an entry for it with "side": "old", and quote the text of the lines 3, 4 exactly.',
      },
    ]);
    expect((await validateReview(look, batch(at, quoted('old', '5')))).errors).toEqual([
      {
        path: '/coverage/0/witness/0/text',
        message:
          'This is not line 3 of f.txt before the change. Read it below the Before directory, and quote the text of that line exactly.',
      },
    ]);
  });

  it('refute only what is about a removed line', async () => {
    const at = await givenReviewed();
    const quote = { path: 'old.txt', line: 1, text: 'old' };
    const verdicts = ['one', 'two'].map((id) => verdict(id, { verdict: 'rejected', quote }));
    expect((await validateReview(at.asked, { verdicts })).data).toMatchObject({
      verdicts: [{ isQuoted: false }, { isQuoted: true }],
    });
  });
});

describe('verdicts', () => {
  it('say of each quote whether the commit has it, and keep no other field', async () => {
    const at = await givenReviewed();
    const quote = { path: 'a.ts', line: 4, text: 'fourth line' };
    const verdicts = [
      verdict('one', { quote: { ...quote, more: 1 }, more: 1 }),
      verdict('two', { verdict: 'rejected', quote: { ...quote, text: 'absent' } }),
    ];
    expect(await validateReview(at.asked, { verdicts })).toEqual({
      errors: [],
      data: {
        verdicts: [
          { ...verdict('one', { quote }), isQuoted: true },
          { ...verdict('two', { verdict: 'rejected', quote: { ...quote, text: 'absent' } }), isQuoted: false },
        ],
      },
    });
  });

  it('name a finding that nobody showed, or that is itself a duplicate', async () => {
    const at = await givenReviewed();
    const unknown = [duplicate('one', 'four'), verdict('two')];
    expect((await validateReview(at.asked, { verdicts: unknown })).errors).toEqual([
      { path: '/verdicts/0/duplicateOf', message: 'Name the id of a Finding or Known line.' },
    ]);
    const chain = [duplicate('one', 'two'), duplicate('two', 'three')];
    expect((await validateReview(at.asked, { verdicts: chain })).errors).toEqual([
      { path: '/verdicts/0/duplicateOf', message: 'This one is itself a duplicate. Name the finding that stays.' },
    ]);
  });

  it('are missing, doubled, or about something else', async () => {
    const at = await givenReviewed();
    const verdicts = [verdict('one'), verdict('one'), verdict('three')];
    expect((await validateReview(at.asked, { verdicts })).errors).toEqual([
      { path: '/verdicts', message: 'The list needs one, two exactly once.' },
      { path: '/verdicts/2/id', message: 'Nobody asked about this id. Remove the entry.' },
    ]);
  });
});

describe('the answers to a fix', () => {
  it('agree in any order', async () => {
    const data = answers('two', 'one');
    expect(await validateReview(fix, data)).toEqual({ errors: [], data });
  });

  it('are missing, doubled, or about something else', async () => {
    expect((await validateReview(fix, answers('one', 'one', 'three'))).errors).toEqual([
      { path: '/answers', message: 'The list needs one, two exactly once.' },
      { path: '/answers/2/id', message: 'Nobody asked about this id. Remove the entry.' },
    ]);
  });
});

describe('hostile answers', () => {
  it('name properties that every object has', async () => {
    const at = await givenReviewed();
    const names = ['__proto__', 'constructor', 'toString'];
    const strange = names.map((_, index) => `/answers/${index + 2}/id`);
    expect((await validateReview(fix, answers('one', 'two', ...names))).errors.map(({ path }) => path)).toEqual(
      strange,
    );
    const verdicts = [duplicate('one', '__proto__'), duplicate('two', 'constructor')];
    expect((await validateReview(at.asked, { verdicts })).errors.map(({ message }) => message)).toEqual(
      verdicts.map(() => 'Name the id of a Finding or Known line.'),
    );
    const own = JSON.parse(`{ "__proto__": { "isAnchored": true }, "path": "__proto__", "line": 1, "quote": "x" }`);
    const coverage = [
      { path: '__proto__', witness },
      { path: 'a.ts', witness },
    ];
    const { errors, data } = await validateReview(at.look, batch(at, { coverage, findings: [own] }));
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ findings: [{ path: '__proto__', anchor: null }] });
    expect('isAnchored' in {}).toBe(false);
  });

  it('lead out of the repository, or have control characters', async () => {
    const at = await givenReviewed();
    const paths = ['../../etc/passwd', '/etc/passwd', '.git/config', 'a.ts\0', 'a\nb.ts', ':(top)a.ts', '\ud800.ts'];
    const findings = paths.map((path) => ({ ...found, path }));
    const { errors, data } = await validateReview(at.look, batch(at, { findings }));
    expect(errors).toEqual([]);
    expect(data).toMatchObject({ findings: paths.map(() => ({ anchor: null })) });
    const quoted = (path: string, text = 'first line') => ({ verdict: 'rejected', quote: { path, line: 1, text } });
    const verdicts = [verdict('one', quoted('../a.ts')), verdict('two', quoted('a.ts', '\0'))];
    expect((await validateReview(at.asked, { verdicts })).data).toMatchObject({
      verdicts: verdicts.map(() => ({ isQuoted: false })),
    });
  });

  it('have as many entries as the schema takes', async () => {
    const at = await givenReviewed();
    const many = Array.from({ length: 200 }, (_, index) => index);
    const coverage = many.map(() => ({ path: 'a.ts', witness: Array(20).fill({ line: 1, text: 'wrong' }) }));
    const findings = many.map((index) => ({ ...found, line: index + 1 }));
    const prior = many.map((index) => ({ ...fixed, id: `strange ${index}` }));
    const { errors, data } = await validateReview(at.look, batch(at, { coverage, findings, prior }));
    expect(errors).toHaveLength(200 * 20 + 1 + 200 + 1);
    expect(data).toMatchObject({ findings: findings.map(() => ({ anchor: { line: 1 } })) });
  });
});
