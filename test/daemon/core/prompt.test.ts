import { describe, expect, test } from 'vitest';
import { envelopeFor } from '../../../daemon/core/assignment/prompt.ts';
import { artifactPaths } from '../../../daemon/core/assignment/request.ts';
import { decide } from '../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../daemon/core/effect/effect.ts';
import { evolve, stamp } from '../../../daemon/core/evolve/evolve.ts';
import type { Assignment, Run } from '../../../daemon/core/run/state.ts';
import { kindOf } from '../../../daemon/kinds/index.ts';
import { PromptEnvelope } from '../../../schemas/envelope.ts';
import {
  approve,
  bound,
  committed,
  decision,
  dies,
  done,
  given,
  invalid,
  pause,
  phaseDone,
  recovered,
  resume,
  sent,
  started,
  timedOut,
  valid,
} from './support/given.ts';
import { createdPayload, RUN_ID, type Shape, second } from './support/run.ts';

const up = [bound, started];

/** The due prompt of the first role that has one. */
function due(run: Run): EffectOf<'sendPrompt'> {
  const effect = decide(run).find((candidate) => candidate.type === 'sendPrompt');
  if (!effect) throw new TypeError('no prompt is due');
  return effect;
}

/** The text of the first phase's prompt, with these instructions. */
function filled(instructions: string, shape: Shape = {}): string {
  const { run } = given({ template: 'withoutGate', ...shape }, ...up);
  const phases = run.template.phases.map((phase) => ({ ...phase, instructions }));
  return due({ ...run, template: { ...run.template, phases } }).envelope.instructions;
}

describe('placeholders', () => {
  test.each([
    ['{{requirements}}', 'Make it so.'],
    ['{{base_branch}} and {{base_branch}}', 'main and main'],
    ['{{worktree}}', `/ws/${RUN_ID}/main`],
    ['{{objective}}', '(none)'],
    ['{{change_request}}', '(none)'],
    ['{{artifact:nowhere}} {{unknown}} {{}}', '{{artifact:nowhere}} {{unknown}} {{}}'],
    ['{ {requirements} }', '{ {requirements} }'],
  ])('%s becomes %s', (template, text) => {
    expect(filled(template)).toBe(text);
  });

  test('shows an objective as JSON', () => {
    expect(filled('{{objective}}', { objective: { metric: 'p99' } })).toBe('{\n  "metric": "p99"\n}');
  });

  test("treats a person's text as text: fills no placeholder in it", () => {
    expect(filled('<{{requirements}}>', { requirementsMd: "{{worktree}} $& $1 $' $$" })).toBe(
      "<{{worktree}} $& $1 $' $$>",
    );
  });

  test('names the read-only copy of an earlier artifact, which is written before the prompt', () => {
    const { run } = given({}, ...up, sent, invalid, sent, valid, committed, approve);
    const path = `/ws/${RUN_ID}/main/.devflow/artifacts/inputs/spec/spec.json`;
    expect(due(run).envelope.instructions).toBe(`Plan ${path}.`);
    const [judged] = run.artifacts.filter((artifact) => artifact.valid);
    expect(due(run).inputs).toEqual([
      { path, artifact: { path: judged?.path, storedPath: judged?.storedPath, hash: judged?.hash }, earlier: [] },
    ]);
  });

  test('knows the earlier versions of an artifact, whose copy nobody changed', () => {
    const again = decision('request_changes', 'Say more.');
    const { run } = given({}, ...up, sent, valid, committed, again, sent, valid, committed, approve);
    const [first, second] = run.artifacts.filter((artifact) => artifact.valid);
    expect(first?.hash).not.toBe(second?.hash);
    expect(due(run).inputs.map(({ artifact, earlier }) => [artifact.hash, earlier])).toEqual([
      [second?.hash, [first?.hash]],
    ]);
  });

  test('writes no copy for a prompt without artifacts', () => {
    expect(due(given({}, ...up).run).inputs).toEqual([]);
  });

  test('in a run of behaviour 1, names an earlier artifact by the path of its valid attempt', () => {
    const { run } = given({ behaviour: 1 }, ...up, sent, invalid, sent, valid, committed, approve);
    expect(due(run).envelope.instructions).toBe(`Plan /ws/${RUN_ID}/main/.devflow/artifacts/spec/2/spec.json.`);
    expect(due(run).inputs).toEqual([]);
  });

  test('records a changed copy with the prompt', () => {
    const { run, events } = given({}, ...up, sent, valid, committed, approve).on((at) => {
      const { session, envelope, repair } = due(at);
      const { sessionId, recoveryAttempts } = session;
      const facts = { sessionId, recoveryAttempts, envelope, promptId: 'p', repair };
      return { type: 'promptDelivered', ...facts, changedInputs: ['/w/inputs/spec/spec.json'] };
    });
    expect(events.findLast(({ type }) => type === 'prompt.sent')?.payload).toMatchObject({
      changedInputs: ['/w/inputs/spec/spec.json'],
    });
    expect(run.state).toBe('planning');
  });
});

describe('what an attempt adds to the text', () => {
  test('a repair names the file, its faults, and asks for another file', () => {
    const { run } = given({}, ...up, sent, invalid);
    const { envelope, repair } = due(run);
    expect(repair).toBe(true);
    expect(envelope.instructions).toBe(
      [
        'Specify:\nMake it so.',
        '',
        `The artifact you wrote to /ws/${RUN_ID}/main/.devflow/artifacts/spec/1/spec.json is not valid:`,
        '- /title: is missing',
        'Write a corrected one to the path expected now.',
      ].join('\n'),
    );
    expect(envelope.expectedArtifact).toBe(`/ws/${RUN_ID}/main/.devflow/artifacts/spec/2/spec.json`);
  });

  test.each([
    ['a time-out', timedOut, 'brought no artifact in time'],
    ['a crash', dies('planner'), 'broke off while you worked on this'],
  ])('%s is told', (_, trouble, words) => {
    const { run } = given({ behaviour: 3 }, ...up, sent, trouble, recovered);
    expect(due(run).envelope.instructions).toContain(words);
    expect(due(run).repair).toBe(false);
  });

  test('appends a change request if the template has no placeholder, for this phase only', () => {
    const story = given({}, ...up, ...phaseDone, decision('request_changes', 'Shorter, please.'));
    expect(due(story.run).envelope.instructions).toBe(
      'Specify:\nMake it so.\n\nChanges were asked for:\nShorter, please.',
    );
    const { run } = story.on(...phaseDone, approve);
    expect(due(run).envelope.instructions).not.toContain('Shorter');
  });

  test('a change request survives a repair and a retry of the recovery gate', () => {
    const { run } = given(
      {},
      ...up,
      ...phaseDone,
      decision('request_changes', 'Shorter, please.'),
      sent,
      invalid,
      sent,
      invalid,
    )
      .to({ run: 'paused' })
      .on(decision('request_changes', null));
    expect(due(run).envelope.instructions).toContain('Shorter, please.');
  });
});

describe('identity', () => {
  test('the same state gives the same bytes, and a valid envelope', () => {
    const { run } = given({}, ...up);
    const again: Run = JSON.parse(JSON.stringify(run));
    expect(due(again)).toEqual(due(run));
    expect(PromptEnvelope.parse(due(run).envelope)).toEqual(due(run).envelope);
  });

  test('every attempt has its own key, id and path', () => {
    const first = given({}, ...up);
    const second = first.on(sent, invalid);
    const third = second.on(sent, timedOut, recovered);
    const fourth = third.on(...phaseDone, decision('request_changes', null));
    const envelopes = [first, second, third, fourth].map(({ run }) => due(run).envelope);
    expect(envelopes.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    for (const field of ['dedupKey', 'uuid', 'expectedArtifact'] as const) {
      expect(new Set(envelopes.map((envelope) => envelope[field])).size, field).toBe(4);
    }
  });

  test('keeps the identity of an unsent prompt over a crash, with a new effect key', () => {
    const first = given({}, ...up);
    const later = first.on(dies('planner'), recovered);
    expect(due(later.run).envelope).toEqual(due(first.run).envelope);
    expect(due(later.run).key).not.toBe(due(first.run).key);
  });

  test('a pause changes neither prompt nor effect', () => {
    const first = given({}, ...up);
    expect(due(first.on(pause, resume).run)).toEqual(due(first.run));
  });

  test('roles that write in one phase have their own keys and paths', () => {
    const { run } = given({ template: 'twoInstances' }, bound, started, started);
    const [phase] = run.phases;
    if (!phase) throw new TypeError('the run has no phase');
    const requestOf = (each: Assignment) => kindOf(phase).request(run, phase, each);
    const envelopes = phase.assignments.map((each) => envelopeFor(run, phase, each, requestOf(each)));
    const paths = phase.assignments.map((each) => artifactPaths(run, phase, each, requestOf(each)));
    const dir = `/ws/${RUN_ID}`;
    expect(paths).toEqual([
      {
        path: `${dir}/main/.devflow/artifacts/write/1/writer.0/write.json`,
        storedPath: `${dir}/artifacts/write/1/writer.0/write.json`,
      },
      {
        path: `${dir}/main/.devflow/artifacts/write/1/writer.1/write.json`,
        storedPath: `${dir}/artifacts/write/1/writer.1/write.json`,
      },
    ]);
    expect(envelopes.map((envelope) => envelope.expectedArtifact)).toEqual(paths.map(({ path }) => path));
    expect(new Set(envelopes.map((envelope) => envelope.dedupKey)).size).toBe(2);
  });

  test('an attempt of one role does not change the prompt of another', () => {
    const both = given({ template: 'twoInstances' }, bound, started, started, sent, sent);
    const awaited = (run: Run) =>
      decide(run).find((effect) => effect.type === 'awaitArtifact' && effect.roleId === 'writer#1');
    const repaired = both.on(invalid);
    expect(awaited(repaired.run)).toBeDefined();
    expect(awaited(repaired.run)).toEqual(awaited(both.run));
    expect(due(repaired.run).envelope).toMatchObject({ roleId: 'writer#0', attempt: 2 });
    repaired.on(sent, done('awaitArtifact', 0, 1)).to({ phases: { write: 'awaiting_artifact' } });
  });
});

describe('the workspace root', () => {
  function storedPath(workspaceRoot?: string): string {
    const payload = { ...createdPayload({ template: 'withoutGate' }), ...(workspaceRoot && { workspaceRoot }) };
    const run = evolve(undefined, stamp(RUN_ID, 0, { type: 'run.created', phaseId: null, payload }, second(0)));
    const phase = run.phases[0] as Run['phases'][number];
    const { assignments } = given({ template: 'withoutGate' }, ...up).run.phases[0] as Run['phases'][number];
    const assignment = assignments[0] as Assignment;
    return artifactPaths(run, phase, assignment, kindOf(phase).request(run, phase, assignment)).storedPath;
  }

  test('is what the run recorded when it was created', () => {
    expect(storedPath('/elsewhere')).toMatch(`/elsewhere/${RUN_ID}/artifacts/`);
  });

  test('follows from the worktree in a run that was recorded without it', () => {
    expect(storedPath()).toMatch(`/ws/${RUN_ID}/artifacts/`);
  });
});
