import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeliveryFacts, decideDelivery } from '../../../../../daemon/sessions/tmux/deliver/deliveryStep.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';

const AT_REST: DeliveryFacts = {
  typed: undefined,
  turnBegan: false,
  conversationHas: () => undefined,
  marked: false,
  proof: undefined,
  state: 'READY',
  composer: '',
  leftOver: false,
  pasteOpen: () => false,
  isShown: false,
  isHeld: false,
  hung: undefined,
  bracketedPaste: true,
  stillMs: 1e6,
  readyMs: 1e6,
  sinceTypedMs: 1e6,
  sinceShownMs: 1e6,
  hasPrinted: true,
  sinceClearMs: 1e6,
  hasCleared: true,
  timings: TIMINGS,
};
const step = (facts: Partial<DeliveryFacts>) => decideDelivery({ ...AT_REST, ...facts });

describe('the next step for a prompt', () => {
  it.each<[string, string, Partial<DeliveryFacts>]>([
    ['an idle agent gets the paste', 'paste', {}],
    ['a working agent is waited for', 'wait', { state: 'BUSY' }],
    ['an agent that asks gets no key', 'wait', { state: 'WAITING' }],
    ['an agent behind a dialog gets no key', 'wait', { state: 'DIALOG' }],
    ['an agent in unknown state gets no key', 'wait', { state: 'UNKNOWN' }],
    ['without bracketed paste nothing is pasted', 'wait', { bracketedPaste: false }],
    ['readiness has to last', 'wait', { stillMs: 149 }],
    ['a paste too early would be lost', 'wait', { readyMs: 699 }],
    ["a person's draft stays", 'wait', { composer: 'also rename the' }],
    ['what devflow left there is cleared', 'clear', { composer: 'x', leftOver: true }],
    ['a second key might quit the program', 'wait', { composer: 'x', leftOver: true, sinceClearMs: 2999 }],
    ['a paste that may still appear is cleared first', 'clear', { pasteOpen: () => true }],
    ['the keys just pressed might quit the program', 'wait', { pasteOpen: () => true, sinceClearMs: 2999 }],
    ['a paste just behind keys might stay unread', 'wait', { hasCleared: false, sinceClearMs: 9999 }],
    ['the keys have been read', 'paste', { sinceClearMs: 1 }],
    ['a program that does not read is given up', 'paste', { hasCleared: false, sinceClearMs: 10_000 }],
    ['a turn that failed is over', 'paste', { state: 'ERROR' }],
    ['nothing is sent during a usage limit', 'wait', { state: 'QUOTA' }],
    ['nothing is sent to a dead agent', 'fail', { state: 'DEAD' }],
    ['a hung agent is not waited for', 'fail', { state: 'BUSY', hung: 'no output' }],
    ['a proof ends it, whatever the agent does', 'done', { proof: 'a hook', state: 'BUSY', composer: 'x' }],
  ])('%s: %s', (_, expected, facts) => expect(step(facts).do).toBe(expected));

  it.each<[string, boolean, Partial<DeliveryFacts>]>([
    ['a question', true, { state: 'WAITING' }],
    ['a dialog', true, { state: 'DIALOG', composer: undefined }],
    ['the quota', true, { state: 'QUOTA' }],
    ['a log-in in place of the composer', true, { state: 'LOGIN', composer: undefined }],
    ["a person's draft", true, { composer: 'also rename the' }],
    ['work', false, { state: 'BUSY' }],
    ['an unknown state', false, { state: 'UNKNOWN', composer: undefined }],
  ])('waiting for %s has no time limit: %s', (_, unlimited, facts) => {
    expect('unlimited' in step(facts)).toBe(unlimited);
  });

  const pasted = { typed: 'pasted', marked: true } as const;
  const entered = { typed: 'submitted', marked: true } as const;
  const [contained, missing] = [() => true, () => false];
  it.each<[string, string, Partial<DeliveryFacts>]>([
    ['the record came, the paste did not', 'paste', { marked: false }],
    ['the paste is visible', 'enter', { ...pasted, composer: 'text' }],
    ['the paste has just appeared', 'wait', { ...pasted, composer: 'text', sinceTypedMs: 299 }],
    ['this process saw it settle', 'enter', { ...pasted, composer: 'text', sinceTypedMs: 200, isShown: true }],
    ['the paste may still appear', 'wait', { ...pasted, sinceShownMs: 2999 }],
    ['the paste may still appear on a busy machine', 'wait', { ...pasted, sinceShownMs: 9999 }],
    ['the paste was not read yet', 'wait', { ...pasted, sinceShownMs: 59_999, hasPrinted: false }],
    ['the paste was not read for a minute', 'paste', { ...pasted, sinceShownMs: 60_000, hasPrinted: false }],
    ['the paste was lost: no Enter was ever pressed, and no turn began', 'paste', pasted],
    ['a person pressed Enter', 'done', { ...pasted, turnBegan: true, conversationHas: contained }],
    ['a person did something', 'wait', { ...pasted, turnBegan: true, sinceShownMs: 9999 }],
    ['a person did something, and nothing says what', 'ask a person', { ...pasted, turnBegan: true }],
    [
      'it was taken before the start was complete',
      'wait',
      { ...entered, composer: '', isHeld: true, sinceTypedMs: 59_999 },
    ],
    ['the start does not become complete', 'fail', { ...entered, composer: 'text', isHeld: true }],
    ['Enter was swallowed', 'enter', { ...entered, composer: 'text' }],
    ['a turn began after Enter', 'done', { ...entered, turnBegan: true }],
    ['a turn began after Enter and goes on', 'done', { ...entered, turnBegan: true, state: 'BUSY' }],
    ['a turn began after Enter and ended the program', 'done', { ...entered, turnBegan: true, state: 'DEAD' }],
    ['its own proof may still come', 'wait', { ...entered, turnBegan: true, sinceShownMs: 2999 }],
    ['its conversation contains it', 'done', { ...entered, conversationHas: contained }],
    ['its conversation may contain it soon', 'wait', { ...entered, conversationHas: missing, sinceShownMs: 9999 }],
    ['its conversation does not contain it, and no turn began', 'paste', { ...entered, conversationHas: missing }],
    ['nothing tells', 'ask a person', entered],
    ['it was held for long, and left the composer just now', 'wait', { ...entered, sinceShownMs: 9999 }],
    ['nothing tells, and another prompt came after it', 'ask a person', { ...entered, marked: false }],
  ])('after a kill or a failure, %s: %s', (_, expected, facts) => expect(step(facts).do).toBe(expected));

  const anything = fc.record({
    typed: fc.constantFrom(undefined, 'pasted', 'submitted'),
    turnBegan: fc.boolean(),
    conversationHas: fc.constantFrom(
      () => undefined,
      () => false,
      () => true,
    ),
    hung: fc.constantFrom(undefined, 'no output'),
    marked: fc.boolean(),
    proof: fc.constantFrom(undefined, 'a hook'),
    state: fc.constantFrom(
      'STARTING',
      'READY',
      'BUSY',
      'WAITING',
      'DIALOG',
      'ERROR',
      'QUOTA',
      'LOGIN',
      'DEAD',
      'UNKNOWN',
    ),
    composer: fc.constantFrom(undefined, '', 'text'),
    leftOver: fc.boolean(),
    pasteOpen: fc.constantFrom(
      () => false,
      () => true,
    ),
    isShown: fc.boolean(),
    isHeld: fc.boolean(),
    bracketedPaste: fc.boolean(),
    stillMs: fc.constantFrom(0, 1e6),
    readyMs: fc.constantFrom(0, 1e6),
    sinceTypedMs: fc.constantFrom(0, 1e6),
    sinceShownMs: fc.constantFrom(0, 1e6),
    hasPrinted: fc.boolean(),
    sinceClearMs: fc.constantFrom(0, 1e6),
    hasCleared: fc.boolean(),
    timings: fc.constant(AT_REST.timings),
  }) satisfies fc.Arbitrary<DeliveryFacts>;

  it('never types where it must not', () => {
    fc.assert(
      fc.property(anything, (facts) => {
        const step = decideDelivery(facts);
        const next = step.do;
        if (next === 'paste')
          expect([facts.pasteOpen(), facts.hasCleared || facts.sinceClearMs > 0]).toEqual([false, true]);
        if (next !== 'paste' && next !== 'enter' && next !== 'clear') return;
        expect(['READY', 'ERROR', 'LOGIN']).toContain(facts.state);
        expect([facts.proof, facts.isHeld]).toEqual([undefined, false]);
        expect(facts.bracketedPaste && facts.stillMs > 0 && facts.composer !== undefined).toBe(true);
        if (next === 'paste') expect(facts.composer).toBe('');
        if (next === 'paste' && facts.typed) {
          expect([facts.turnBegan, facts.sinceShownMs > 0]).toEqual([false, true]);
          expect(facts.conversationHas()).not.toBe(true);
          if (facts.typed === 'submitted') expect(facts.conversationHas()).toBe(false);
        }
        if (next === 'enter')
          expect([facts.marked, facts.typed !== undefined, facts.composer]).toEqual([true, true, 'text']);
        if (next === 'clear')
          expect([facts.composer === '' ? facts.pasteOpen() : facts.leftOver, facts.sinceClearMs > 0]).toEqual([
            true,
            true,
          ]);
      }),
      { numRuns: 3000 },
    );
  });
});
