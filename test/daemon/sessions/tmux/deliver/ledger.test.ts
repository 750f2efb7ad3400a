import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerDoubt, openLedger, PROOF, proofNamed } from '../../../../../daemon/sessions/tmux/deliver/ledger.ts';

const PROMPT = { uuid: 'a-uuid', dedupKey: 'a-key' };

function givenLedger() {
  const directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const ledger = openLedger(directory);
  return { ledger, next: () => openLedger(directory) };
}

describe("a person's answer to a doubtful delivery", () => {
  test('counts the prompt as taken, also for the next daemon', () => {
    const { ledger, next } = givenLedger();
    ledger.note({ ...PROMPT, state: 'uncertain' });
    answerDoubt(ledger, PROMPT, { assumeTaken: true });
    expect(ledger.taken(PROMPT.dedupKey)).toBe(PROMPT.uuid);
    expect(next().of(PROMPT.uuid)).toMatchObject({ state: 'acknowledged', by: 'a person said so' });
  });

  test('lets the prompt be sent again', () => {
    const { ledger, next } = givenLedger();
    ledger.note({ ...PROMPT, state: 'uncertain' });
    answerDoubt(ledger, PROMPT, { assumeTaken: false });
    expect(next().of(PROMPT.uuid)?.state).toBe('queued');
  });

  test.each(['pasted', 'acknowledged'] as const)('sends nothing again that is %s', (state) => {
    const { ledger } = givenLedger();
    ledger.note({ ...PROMPT, state });
    answerDoubt(ledger, PROMPT, { assumeTaken: false });
    expect(ledger.of(PROMPT.uuid)?.state).toBe(state);
  });

  test('says nothing about a later doubt when it comes again after a kill', () => {
    const { ledger, next } = givenLedger();
    ledger.note({ ...PROMPT, state: 'uncertain' });
    answerDoubt(ledger, PROMPT, { assumeTaken: false, answer: 1 });
    expect(ledger.of(PROMPT.uuid)?.state).toBe('queued');
    ledger.note({ ...PROMPT, state: 'uncertain' });
    const later = next();
    answerDoubt(later, PROMPT, { assumeTaken: false, answer: 1 });
    expect(later.of(PROMPT.uuid)?.state).toBe('uncertain');
    answerDoubt(later, PROMPT, { assumeTaken: false, answer: 2 });
    expect(later.of(PROMPT.uuid)?.state).toBe('queued');
  });
});

test.each([
  ['queued', 'nothing'],
  ['pasted', 'typed'],
  ['submitted', 'typed'],
  ['acknowledged', 'typed'],
  ['failed', 'nothing'],
  ['uncertain', 'in doubt'],
] as const)('a prompt that is %s counts as: %s, also for the next daemon', (state, soFar) => {
  const { ledger, next } = givenLedger();
  expect(ledger.soFar(PROMPT.uuid)).toBe('nothing');
  ledger.note({ ...PROMPT, state });
  expect(next().soFar(PROMPT.uuid)).toBe(soFar);
});

describe('a prompt that may stand in the composer', () => {
  const [here, later] = [
    { pid: 1, launch: 1 },
    { pid: 2, launch: 2 },
  ];

  test.each([
    ['queued', false],
    ['pasted', true],
    ['submitted', true],
    ['failed', false],
    ['uncertain', false],
    ['acknowledged', false],
  ] as const)('%s: %s', (state, isTyped) => {
    const { ledger } = givenLedger();
    ledger.note({ ...PROMPT, state, pid: 1, life: 1 });
    expect([ledger.isTyped(PROMPT.uuid, here), ledger.isTyped(PROMPT.uuid, later)]).toEqual([isTyped, false]);
  });
});

test('each proof has its name, and one of an older version is named for what it says', () => {
  expect(Object.values(PROOF).map((words) => proofNamed(words))).toEqual(Object.keys(PROOF));
  expect([proofNamed('something else'), proofNamed(undefined)]).toEqual(['later', 'later']);
});
