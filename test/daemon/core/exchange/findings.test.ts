import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Outcome, OutcomeOf } from '../../../../daemon/core/effect/outcome.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import { readContractDocument } from '../../../../schemas/contracts/readArtifact.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { approve, bound, committed, done, given, type Input, type Story, sent, started } from '../support/given.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas/artifacts') });
const fixture = (schema: string, name: string) => readFileSync(registry.fixturePath(schema, name) as string, 'utf8');
const OK = fixture('handover/plan@1', 'ok');
const BAD = OK.replace('### Step 2:', '### Phase 2:');
const LINE = BAD.split('\n').indexOf('### Phase 2: Show the page') + 1;
const WARNED = OK.replace('plan_version: 1.7', 'plan_version: 1.8');

/** What the performer reports of a plan that the agent wrote. */
const wrote =
  (text: string): Input =>
  (run) => {
    const outcome = done('awaitArtifact') as (of: typeof run) => Outcome;
    const found = outcome(run) as OutcomeOf<'artifactFound'>;
    const read = readContractDocument(found.schema, text);
    const { errors, data, warnings } = read.ok ? { ...read, errors: [] } : { ...read, data: undefined, warnings: [] };
    if (errors.length > 0) return { ...found, verdict: { valid: false, errors } };
    return { ...found, verdict: { valid: true, storedPath: '/stored/plan.md', data, warnings } };
  };

const published = done('publishArtifact');
const brief = [sent, done('awaitArtifact'), published, committed];
const toPlan = (): Story => given({ template: 'planned' }, bound, started, ...brief, sent);

test('HC-8.1: the repair prompt has the code, the line and the message of each finding', () => {
  const { run } = toPlan().on(wrote(BAD)).records('artifact.invalid', 'session.idle').decides('sendPrompt');
  const [prompt] = decide(run);
  const { instructions } = (prompt as Extract<typeof prompt, { type: 'sendPrompt' }>)?.envelope ?? {};
  const read = readContractDocument('handover/plan@1', BAD);
  const messages = read.ok ? [] : read.errors.map(({ message }) => message);
  expect(messages.length).toBeGreaterThan(1);
  for (const message of messages) expect(instructions).toContain(message);
  expect(instructions).toContain(`- line ${LINE}, PLAN_FORBIDDEN_HEADING: `);
});

test('HC-8.1: after the repairs the gate shows the findings, and nothing is published', () => {
  const story = toPlan().on(wrote(BAD), sent, wrote(BAD));
  story.to({ phases: { plan: 'failed' }, approvals: { recovery: 'pending' } });
  const [gate] = openGates(story.run);
  expect(gate?.subject.findings).toContainEqual(
    expect.objectContaining({ code: 'PLAN_FORBIDDEN_HEADING', line: LINE, message: expect.any(String) }),
  );
  expect(story.run.published.map(({ contract }) => contract)).toEqual(['handover/brief@1']);
});

test('HC-8.1: a repaired document is published as it was validated, and completes its phase', () => {
  const story = toPlan().on(wrote(BAD), sent, wrote(OK)).decides('publishArtifact');
  story.on(published, committed, approve).to({ phases: { plan: 'completed', execute: 'running' } });
});

test('HC-8.2: the warnings of a valid document stop nothing, and stay with it', () => {
  const story = toPlan().on(wrote(WARNED)).decides('publishArtifact').on(published, committed);
  const warning = { path: 'plan_version', code: 'PLAN_VERSION_MISMATCH', line: 2, message: expect.any(String) };
  expect(story.events.findLast(({ type }) => type === 'artifact.validated')?.payload).toMatchObject({
    warnings: [warning],
  });
  expect(story.run.artifacts.map(({ schema, warnings }) => [schema, warnings])).toEqual([
    ['handover/brief@1', undefined],
    ['handover/plan@1', [warning]],
  ]);
  story.on(approve).to({ phases: { plan: 'completed', execute: 'running' } });
});
