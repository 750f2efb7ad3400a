import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderEnvelope } from '../../schemas/envelope.ts';
import { tortureEnvelope } from '../fixtures/scripted/torture.ts';
import { givenAgent } from './givenAgent.ts';

const FINDING = 'Finding: 0123456789 a.txt:2 high It is wrong';

test.each([
  [
    'dev/review-finding-batch@1',
    'Finds: high a.txt:2 It is wrong\nReview: head c2 base c1 scope full\nQuote: a.txt: 1',
    { coverage: [{ path: 'a.txt', witness: [{ line: 1, text: 'one' }] }], findings: [{ line: 2, quote: 'two' }] },
  ],
  ['dev/review-verdict@1', FINDING, { verdicts: [{ verdict: 'confirmed', quote: { line: 2, text: 'two' } }] }],
  ['dev/review-response@1', FINDING, { answers: [{ id: '0123456789', action: 'fixed' }] }],
])('in a review it writes what it read in the worktree: %s', async (expectedSchema, text, expected) => {
  const agent = await givenAgent();
  const file = join(agent.cwd, 'a.txt');
  writeFileSync(file, 'one\ntwo\n');
  const expectedArtifact = join(agent.cwd, '.devflow/artifacts/review/1/a.json');
  const envelope = tortureEnvelope({ nth: 1, text }, { expectedArtifact, expectedSchema, phaseKey: 'review' });
  await agent.prompt(renderEnvelope(envelope));
  await agent.until('turn-ended', { uuid: envelope.uuid });
  expect(JSON.parse(readFileSync(expectedArtifact, 'utf8'))).toMatchObject(expected);
  const isFix = expectedSchema === 'dev/review-response@1';
  expect(readFileSync(file, 'utf8')).toBe(isFix ? 'one\ntwo\nfixed 01234567\n' : 'one\ntwo\n');
});

test('comments of a person are answered before the artifact, and the last one is left out where the scenario says so', async () => {
  for (const [scenario, ids] of [
    ['ok', ['c1', 'c2']],
    ['no-answers', ['c1']],
  ] as const) {
    const agent = await givenAgent();
    const expectedArtifact = join(agent.cwd, '.devflow/artifacts/spec/1/spec.json');
    const answers = join(agent.cwd, '.devflow/artifacts/spec/1/answers.json');
    const text = `Scenario: ${scenario}\nComments: c1, c2\nAnswers: ${answers}`;
    const about = { expectedArtifact, expectedSchema: 'dev/spec@1', phaseKey: 'spec' };
    const envelope = tortureEnvelope({ nth: 1, text }, about);
    await agent.prompt(renderEnvelope(envelope));
    await agent.until('turn-ended', { uuid: envelope.uuid });
    const written = JSON.parse(readFileSync(answers, 'utf8')) as { answers: { id: string }[] };
    expect(written.answers.map(({ id }) => id)).toEqual(ids);
    expect(JSON.parse(readFileSync(expectedArtifact, 'utf8'))).toHaveProperty('title');
  }
});
