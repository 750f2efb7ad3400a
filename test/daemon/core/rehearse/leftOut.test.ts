import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import type { Effect } from '../../../../daemon/core/effect/effect.ts';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import { failure } from '../../../../daemon/core/effect/possible.ts';
import { NOW } from '../../../../daemon/core/rehearse/sampleRun.ts';
import { beginningOf, keyOf, type Place, stepsFrom } from '../../../../daemon/core/rehearse/walk.ts';
import { currentPhase, openGates } from '../../../../daemon/core/run/query.ts';
import { onOutcome, onSignal } from '../../../../daemon/core/transition.ts';
import type { Template } from '../../../../schemas/definitions/template.ts';
import { decidable } from '../../../../schemas/gates/decidable.ts';
import { blocksRun } from '../../../../schemas/gates/gateKinds.ts';
import { TURN_GATE, UNCERTAIN_GATE } from '../../../../schemas/gates/ownGates.ts';
import { builtIn } from './builtIn.ts';
import { manyPhases } from './manyPhases.ts';

/** All places, each once, that these steps lead to. */
function walk(template: Template, next: (place: Place) => Place[]): Place[] {
  const places = new Map<string, Place>();
  const open = [beginningOf(template)];
  for (const place of open) {
    const key = keyOf(place);
    if (places.has(key)) continue;
    places.set(key, place);
    open.push(...next(place));
  }
  return [...places.values()];
}

/** What a walk leaves out. */
function leftOut(effect: Effect): Outcome | undefined {
  if (effect.type === 'sendPrompt')
    return { type: 'effectFailed', key: effect.key, error: failure('delivery_uncertain') };
  if (effect.type !== 'awaitArtifact') return undefined;
  const stall = { cause: 'idle' as const, detail: 'Which one?', since: NOW, until: null };
  return { type: 'sessionStalled', sessionId: effect.session.sessionId, stall };
}

/** Every answer to the gate that follows. An ended turn may also stay unanswered. */
function leftOutStepsOf({ run, again }: Place): Place[] {
  return decide(run).flatMap((effect) => {
    const outcome = leftOut(effect);
    const { run: asked, events } = outcome ? onOutcome(run, outcome, NOW) : { run, events: [] };
    const gate = openGates(asked).find(({ gateKey }) => gateKey === TURN_GATE || gateKey === UNCERTAIN_GATE);
    if (!gate || events.length === 0) return [];
    const unanswered = gate.gateKey === TURN_GATE ? [{ run: asked, again }] : [];
    if (again > 0) return unanswered;
    const answers = decidable(gate, asked.state).flatMap((action) =>
      (action === 'request_changes' ? [null, 'Change it.'] : [null]).flatMap((comment) => {
        const approvalRequestId = gate.id;
        const answer = onSignal(asked, { type: 'decide', approvalRequestId, action, comment, clientToken: '1' }, NOW);
        return 'refused' in answer || action === 'abort' ? [] : [{ run: answer.run, again: 1 }];
      }),
    );
    return [...unanswered, ...answers];
  });
}

/** The state of the run and of its phase, and the gates that block it. */
function whereIs({ run }: Place): string {
  const phase = currentPhase(run);
  const gates = openGates(run).filter((gate) => blocksRun(gate) && gate.gateKey !== TURN_GATE);
  // An uncertain delivery stands like any failure that a person decides about.
  const names = gates.map(({ gateKey }) => (gateKey === UNCERTAIN_GATE ? 'recovery' : gateKey));
  return [run.state, phase?.key, phase?.state, ...names].join(' ');
}

const TEMPLATES = {
  'phases of agents and commands': manyPhases(4),
  'a review': builtIn('review@1.yaml'),
  'parallel lanes': builtIn('parallel-development@1.yaml'),
};

test.each(Object.entries(TEMPLATES))(
  'doubtful deliveries and ended turns reach no other phase, gate or end: %s',
  (_, template) => {
    const next = (place: Place) => stepsFrom(place).map((step) => step.place);
    const short = walk(template, next);
    const long = walk(template, (place) => [...next(place), ...leftOutStepsOf(place)]);
    expect(long.length).toBeGreaterThan(short.length);
    expect(new Set(long.map(whereIs))).toEqual(new Set(short.map(whereIs)));
  },
);
