import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DeliveryFacts, decideDelivery } from '../../../../../daemon/sessions/tmux/deliver/deliveryStep.ts';

const AT_REST: DeliveryFacts = {
  recorded: 'queued',
  marked: false,
  proof: undefined,
  state: 'READY',
  composer: '',
  leftOver: false,
  isShown: false,
  hung: undefined,
  bracketedPaste: true,
  stillMs: 1e6,
  readyMs: 1e6,
  sincePasteMs: 1e6,
  sinceClearMs: 1e6,
  timings: { stableMs: 150, settleStartMs: 700, pasteMs: 300, pasteCapMs: 3000, clearAgainMs: 3000 },
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

  it.each<[string, string, Partial<DeliveryFacts>]>([
    ['the record came, the paste did not', 'paste', { recorded: 'pasted' }],
    ['the paste is visible', 'enter', { recorded: 'pasted', marked: true, composer: 'text' }],
    ['the paste has just appeared', 'wait', { recorded: 'pasted', marked: true, composer: 'text', sincePasteMs: 299 }],
    [
      'this process saw it settle',
      'enter',
      { recorded: 'pasted', marked: true, composer: 'text', sincePasteMs: 200, isShown: true },
    ],
    ['the paste may still appear', 'wait', { recorded: 'pasted', marked: true, sincePasteMs: 2999 }],
    ['the paste was lost: no Enter was ever pressed', 'paste', { recorded: 'pasted', marked: true }],
    ['Enter was swallowed', 'enter', { recorded: 'submitted', marked: true, composer: 'text' }],
    ['it has left the composer', 'ask the conversation', { recorded: 'submitted', marked: true }],
    ['failed and still visible', 'enter', { recorded: 'failed', marked: true, composer: 'text' }],
    ['failed and gone', 'paste', { recorded: 'failed', marked: true }],
    ['another program runs there now', 'paste', { recorded: 'submitted', marked: false }],
  ])('after a kill, %s: %s', (_, expected, facts) => expect(step(facts).do).toBe(expected));

  const anything = fc.record({
    recorded: fc.constantFrom(undefined, 'queued', 'pasted', 'submitted', 'acknowledged', 'failed'),
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
    isShown: fc.boolean(),
    bracketedPaste: fc.boolean(),
    stillMs: fc.constantFrom(0, 1e6),
    readyMs: fc.constantFrom(0, 1e6),
    sincePasteMs: fc.constantFrom(0, 1e6),
    sinceClearMs: fc.constantFrom(0, 1e6),
    timings: fc.constant(AT_REST.timings),
  }) as fc.Arbitrary<DeliveryFacts>;

  it('never types where it must not', () => {
    fc.assert(
      fc.property(anything, (facts) => {
        const next = decideDelivery(facts).do;
        if (next !== 'paste' && next !== 'enter' && next !== 'clear') return;
        expect(['READY', 'ERROR', 'LOGIN']).toContain(facts.state);
        expect(facts.proof).toBeUndefined();
        expect(facts.bracketedPaste && facts.stillMs > 0 && facts.composer !== undefined).toBe(true);
        if (next === 'paste') expect(facts.composer).toBe('');
        if (next === 'paste') expect(facts.marked && facts.recorded === 'submitted').toBe(false);
        if (next === 'enter') expect([facts.marked, facts.composer]).toEqual([true, 'text']);
        if (next === 'clear') expect([facts.leftOver, facts.composer]).toEqual([true, 'text']);
      }),
      { numRuns: 3000 },
    );
  });
});
