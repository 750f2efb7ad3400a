import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import { waitsFor } from '../../../../daemon/core/waitsFor.ts';
import { isProbesAsked, probesDecided } from '../../../../daemon/kinds/step/probeGate.ts';
import { readTemplateText } from '../../../../schemas/definitions/definitionFile.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { describeBehaviours } from '../../core/support/behaviours.ts';
import { approve, decision, done, type Input, type Story } from '../../core/support/given.ts';

const yaml = readFileSync(join(packageRoot(), 'schemas/templates/template-factory@1.yaml'), 'utf8');
const read = readTemplateText(yaml, { schemaFault: () => undefined });
if (!read.ok) throw new TypeError('template-factory@1 is no template');
const { definition: template } = read.value;

/** The step would run the commands of this list. */
const asks =
  (plan: string): Input =>
  ({ phases }) => ({
    type: 'stepPerformed',
    phaseId: phases[0]?.id ?? '',
    attempt: 1,
    result: { ok: false, ask: { plan, probes: [], limits: ['no network'] } },
  });
const effect = ({ run }: Story) => decide(run).find(({ type }) => type === 'performStep');
const gateOf = ({ run }: Story) => run.approvals.at(-1);

describeBehaviours((given, behaviour) => {
  const discovering = () => given({ template }, done('lockBindings'));
  const asked = () => discovering().on(asks('first'));

  test('runs no command of a repository before a person decided about the list', () => {
    expect(effect(discovering())).toMatchObject({ probes: null, key: expect.stringMatching(/:1$/) });
    const story = asked().records('approval.requested').decides();
    story.to({ approvals: { probes_approved: 'pending' } });
    // The state of an older run does not follow from its gates.
    if (behaviour > 2) story.to({ run: 'awaiting_approval' });
    expect(gateOf(story)).toMatchObject({ kind: 'gate', subject: { plan: 'first', limits: ['no network'] } });
    expect(waitsFor(story.run)).toMatchObject([{ party: 'person' }]);
  });

  test.each([
    ['approve', true],
    ['request_changes', false],
  ] as const)('goes on with the same step after %s', (action, run) => {
    const story = asked().on(decision(action));
    expect(effect(story)).toMatchObject({
      probes: { plan: 'first', run },
      key: expect.stringMatching(`:first:${run}$`),
    });
    story.on(done('performStep')).to({ phases: { discover: 'validating' } });
  });

  test('ends the run that a person rejects', () => {
    asked().on(decision('reject', 'No.')).to({ run: 'failed' });
  });

  test('asks about a list once, and again if it has changed', () => {
    expect(asked().on(asks('first')).latest).toEqual([]);
    expect(asked().on(approve, asks('first')).latest).toEqual([]);
    const changed = asked().on(approve, asks('second')).records('approval.requested').decides();
    expect(gateOf(changed)?.subject).toMatchObject({ plan: 'second', isChanged: true });
    expect(effect(changed.on(approve))).toMatchObject({ probes: { plan: 'second', run: true } });
  });

  test('keeps to the newest decision while a person looks at a changed list', () => {
    const { run } = asked().on(approve, asks('second'));
    const [phase] = run.phases;
    if (!phase) throw new TypeError('the step is a phase');
    expect(isProbesAsked(run, phase)).toBe(true);
    expect(probesDecided(run, phase)).toEqual({ plan: 'first', run: true });
  });

  test.each([{ phaseId: 'another phase' }, { gateKey: 'another_gate' }])('does not look at a gate of %o', (place) => {
    const { run } = asked();
    const [phase] = run.phases;
    if (!phase) throw new TypeError('the step is a phase');
    const elsewhere = { ...run, approvals: run.approvals.map((gate) => ({ ...gate, ...place })) };
    expect(isProbesAsked(elsewhere, phase)).toBe(false);
  });
});
