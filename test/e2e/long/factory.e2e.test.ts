import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConfinement } from '../../../daemon/discovery/confine.ts';
import type { PlannedProbe } from '../../../schemas/kinds/step/probePlan.ts';
import type { RepoFacts } from '../../../schemas/repoFacts.ts';
import type { EventView } from '../../../schemas/rpc/views/run.ts';
import { shareDaemon } from '../../helpers/daemon.ts';
import { type Asked, drive } from '../../helpers/drive.ts';
import { startFactory, templatesOf } from '../factoryRuns.ts';
import { patient } from '../measuredRuns.ts';
import { payloads, proveEnd } from '../support.ts';

const daemon = shareDaemon();

test('a wish becomes a template: discovered, drafted, rehearsed, reviewed, approved and promoted', async () => {
  const inHome = join(daemon().env.HOME ?? '', 'ran');
  const marker = join(daemon().env.DEVFLOW_HOME ?? '', 'ran');
  const runId = await startFactory(daemon(), 'A template for small changes.\n\nDraft: uncited, right\n', {
    'slow-test.sh': `touch ${marker}\nexit 3\n`,
    'unit-test.sh': `touch ${inHome} 2>/dev/null\ntest -f README.md\n`,
  });
  const asked: Asked[] = [];
  const decide = (gate: Asked) => {
    asked.push(gate);
    if (gate.gateKey === 'probes_approved') expect(existsSync(marker)).toBe(false);
    return { action: 'approve' as const };
  };
  await drive(daemon(), runId, { ...patient, decide });
  const { run, events } = await proveEnd(daemon(), runId, 'completed');
  expect(asked.map(({ gateKey }) => gateKey)).toEqual(['probes_approved', 'intent_approved', 'promotion_approved']);
  const listed = ((asked[0]?.subject.probes ?? []) as PlannedProbe[]).map(({ argv, bodies }) => [
    argv.join(' '),
    bodies[0]?.text,
  ]);
  expect(listed).toContainEqual(['sh slow-test.sh', `touch ${marker}\nexit 3\n`]);

  const shown = asked.at(-1)?.subject.artifacts as { schema: string }[];
  expect(shown.map(({ schema }) => schema)).toEqual(['tpl/draft@1', 'tpl/rehearsal@1']);
  const stored = (schema: string) =>
    JSON.parse(readFileSync(run.artifacts.findLast((each) => each.schema === schema)?.path ?? '', 'utf8'));
  const facts = stored('tpl/repo-facts@2') as RepoFacts;
  const classes = facts.facts
    .filter(({ kind }) => kind === 'test')
    .map(({ argv, source, probe }) => [argv.join(' '), source, probe.class]);
  expect(classes).toContainEqual(['sh unit-test.sh', 'ci', 'green']);
  expect(classes).toContainEqual(['sh slow-test.sh', 'ci', 'red_at_base']);
  // The machine of a test has no agent but the fake one.
  expect(facts.backends).toEqual([]);
  expect(facts.knownRed).toEqual([facts.facts.find(({ argv }) => argv.includes('slow-test.sh'))?.id]);
  const refused = payloads(events, 'artifact.invalid').flatMap(({ errors }) => errors as { message: string }[]);
  expect(refused.map(({ message }) => message)).toEqual([
    'uncited_command: sh unit-test.sh of phase verify cites no fact. Cite the fact that has this command, or leave the command out.',
  ]);
  const rehearsal = stored('tpl/rehearsal@1');
  expect(rehearsal).toMatchObject({
    template: { name: 'checked-change', version: 1 },
    run: { ok: true, gates: ['changes_approved'], commands: [{ argv: ['sh', 'unit-test.sh'], exitCode: 0 }] },
  });
  // Neither a probe nor the rehearsal writes there, where the system can prevent it.
  const { protectsHome } = await findConfinement(daemon().root, daemon().workspaceRoot);
  expect(existsSync(inHome)).toBe(!protectsHome);
  const file = join(templatesOf(daemon()), 'checked-change@1.yaml');
  expect(readFileSync(file, 'utf8')).toContain('["sh","unit-test.sh"]');
  const origin = JSON.parse(readFileSync(file.replace('.yaml', '.provenance.json'), 'utf8'));
  expect(origin).toMatchObject({ run: runId, binding: rehearsal.binding, template: rehearsal.template });
});

test('of two runs that promote one version, one hears that it is taken', async () => {
  const runId = await startFactory(daemon(), 'Another template for small changes.');
  const stopAt = ({ type, payload }: EventView) => type === 'approval.requested' && payload.gateKey === 'recovery';
  const events = await drive(daemon(), runId, { ...patient, stopAt });
  expect(events.at(-1)?.payload.subject).toMatchObject({
    reason: expect.stringMatching(/^checked-change@1 is promoted already: .* The next free version is 2$/),
  });
  await daemon().ask('run.abort', { runId });
});

test('a byte that changes after the rehearsal voids the approval', async () => {
  const runId = await startFactory(daemon(), 'A third template for small changes.');
  const atGate = ({ type, payload }: EventView) =>
    type === 'approval.requested' && payload.gateKey === 'promotion_approved';
  const events = await drive(daemon(), runId, {
    ...patient,
    stopAt: atGate,
    decide: ({ gateKey }) => (gateKey === 'promotion_approved' ? undefined : { action: 'approve' }),
  });
  const { worktreeRoot } = await daemon().ask('run.get', { runId });
  const [name] = readdirSync(worktreeRoot).filter((each) => each.endsWith('@1.yaml'));
  writeFileSync(join(worktreeRoot, name ?? ''), '# one more line\n', { flag: 'a' });
  const approvalId = String(events.at(-1)?.payload.approvalRequestId);
  const approve = daemon().ask('approval.decide', { approvalId, action: 'approve', clientToken: randomUUID() });
  await expect(approve).rejects.toMatchObject({ code: 'changes_under_decision' });
  await daemon().ask('run.abort', { runId });
});

test('a hostile draft is refused with reasons, three times, and then a person is asked', async () => {
  const runId = await startFactory(daemon(), 'Push everything by force, and ask nobody.\n\nDraft: hostile\n');
  const stopAt = ({ type, payload }: EventView) => type === 'approval.requested' && payload.gateKey === 'recovery';
  const events = await drive(daemon(), runId, { ...patient, stopAt });
  const refused = payloads(events, 'artifact.invalid').map(({ errors }) =>
    (errors as { message: string }[]).map(({ message }) => message.split(/[: ]/)[0]),
  );
  expect(refused).toEqual(Array(4).fill(['no_approval', 'policy_violation', 'uncited_command']));
  expect(existsSync(join(templatesOf(daemon()), 'hostile@1.yaml'))).toBe(false);
  await daemon().ask('run.abort', { runId });
});
