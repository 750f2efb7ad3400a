import { describe, expect, it, test } from 'vitest';
import { stateDirectoryPart } from '../../../../schemas/contracts/registry.ts';
import { STATE_CONTRACT, STATE_DIR } from '../../../../schemas/contracts/stateDirectory/contract.ts';
import {
  checkSidecar,
  requireSidecarRule,
  sidecarRule,
} from '../../../../schemas/contracts/stateDirectory/sidecars.ts';
import { readStatus } from '../../../../schemas/contracts/stateDirectory/statusLine.ts';
import { validateState } from '../../../../schemas/contracts/stateDirectory/validate.ts';
import { codes, givenState, NOTHING, NOW } from './given.ts';

const sidecar = (name: string, content: unknown) => {
  const tree = givenState({ [name]: typeof content === 'string' ? content : JSON.stringify(content) });
  return codes(checkSidecar(tree, name, requireSidecarRule(name)));
};
const validate = (files: Parameters<typeof givenState>[0]) => codes(validateState(givenState(files)));

describe('SD-45: a sidecar', () => {
  it.each([
    ['impl-summary.json', { status: 'DONE' }, []],
    ['impl-summary.json', { status: 'NEEDS_CONTEXT', verdict: 'PASS' }, []],
    ['impl-summary.json', { status: 'PARTIAL' }, ['SIDECAR_STATUS_UNLISTED']],
    ['impl-summary.json', { status: 'done' }, ['SIDECAR_STATUS_INVALID']],
    ['impl-summary.json', {}, ['SIDECAR_STATUS_INVALID']],
    ['impl-summary.json', { status: null }, ['SIDECAR_STATUS_INVALID']],
    ['impl-summary.json', { status: ['DONE'] }, ['SIDECAR_STATUS_INVALID']],
    ['impl-summary.json', { status: 'DONE', verdict: 'APPROVED' }, ['SIDECAR_VERDICT_INVALID']],
    ['test-summary.json', { status: 'NEEDS_CONTEXT' }, ['SIDECAR_STATUS_UNLISTED']],
    ['verification.json', { verdict: 'satisfied' }, []],
    ['verification.json', { verdict: 'satisfied', status: 'VERIFIED' }, []],
    ['verification.json', { status: 'VERIFIED' }, ['SIDECAR_VERDICT_INVALID']],
    ['review.json', { verdict: 'NEEDS_WORK' }, []],
    ['review.json', { verdict: 'needs_revision' }, ['SIDECAR_VERDICT_INVALID']],
    ['review.json', '{"__proto__": {"verdict": "APPROVED"}}', ['SIDECAR_VERDICT_INVALID']],
    ['impl-summary-cr3.json', { status: 'soon' }, ['SIDECAR_STATUS_INVALID']],
  ])('%s with %j: %j', (name, content, expected) => {
    expect(sidecar(name, content)).toEqual(expected);
  });
});

test('SD-46: a markdown of a pair needs its sidecar', () => {
  expect(validate({ 'review.md': 'x' })).toEqual(['SIDECAR_MISSING']);
  expect(validate({ 'review.md': 'x', 'review.json': '{"verdict":"APPROVED"}' })).toEqual([]);
});

describe('SD-47: what is no sidecar', () => {
  it.each([
    ['{', 'SIDECAR_UNREADABLE'],
    ['', 'SIDECAR_UNREADABLE'],
    ['['.repeat(1_000_000), 'SIDECAR_UNREADABLE'],
    ['[]', 'SIDECAR_NOT_OBJECT'],
    ['null', 'SIDECAR_NOT_OBJECT'],
    ['"DONE"', 'SIDECAR_NOT_OBJECT'],
  ])('broken text %# is no sidecar', (text, code) => {
    expect(sidecar('review.json', text)).toEqual([code]);
  });
  it('a missing one is a verdict, and a link is not read', () => {
    expect(codes(checkSidecar(NOTHING, 'review.json', requireSidecarRule('review.json')))).toEqual([
      'SIDECAR_NOT_FOUND',
    ]);
    expect(validate({ 'review.json': { kind: 'link' } })).toEqual(['SIDECAR_UNREADABLE']);
  });
  it.each([
    '../x.json',
    '../review.json',
    'review',
    'review.md',
    'plan.json',
    '__proto__.json',
    'review-x.json',
    '',
    '/etc/passwd',
  ])('SD-57: %j is refused before anything is opened', (name) => {
    expect(() => requireSidecarRule(name)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
  it('SD-57: variants follow the rule of their base', () => {
    expect(sidecarRule('test-summary-b.json')).toBe(sidecarRule('test-summary.json'));
    expect(validate({ 'verification-a.json': '{}' })).toEqual(['SIDECAR_VERDICT_INVALID']);
  });
});

describe('SD-48: the status of a markdown', () => {
  it.each([
    ['## Status: DONE\n', 'DONE'],
    ['# T\r\n\r\n##  Status:  DONE  \r\n', 'DONE'],
    ['## Status\n\n\nDONE\n', 'DONE'],
    ['## Status:\nDONE\n', 'DONE'],
    ['## Status\n\n\n\n\nDONE\n', ''],
    ['## Status: DONE (3 files)\n', 'DONE'],
    ['## Status\nDONE \u2014 see below\n', 'DONE'],
    ['## Status\n### Result\nDONE\n', 'DONE'],
    ['  ## STATUS : DONE\n', 'DONE'],
    ['## Status: DONE, but\n', 'DONE,'],
    [`${'\n'.repeat(99)}## Status: DONE`, 'DONE'],
  ])('in %j is %j', (text, status) => {
    expect(readStatus(text)?.status).toBe(status);
  });
  it.each([
    '# Status: DONE',
    '## Status DONE',
    '### Status: DONE',
    `${'\n'.repeat(100)}## Status: DONE`,
    '## Statuses',
  ])('is not in %j', (text) => {
    expect(readStatus(text)).toBeUndefined();
  });
  it.each(Object.keys(STATE_CONTRACT.statusGated))('of %s is missing, wrong or right', (name) => {
    expect(validate({ [name]: '# Text\n' })).toEqual(['STATUS_MISSING']);
    expect(validate({ [name]: '## Status: MAYBE\n' })).toEqual(['STATUS_INVALID']);
    expect(validate({ [name]: '## Status: BLOCKED\n' })).toEqual([]);
    expect(validate({ [name]: { kind: 'link' } })).toEqual(['STATUS_MISSING']);
  });
  it('differs for a debug summary', () => {
    expect(validate({ 'debug-summary.md': '## Status: FIXED\n' })).toEqual([]);
    expect(validate({ 'debug-summary.md': '## Status: DONE\n' })).toEqual(['STATUS_INVALID']);
  });
  it('is found at once in a text with a million headings', () => {
    expect(readStatus('## Stat\n'.repeat(1_000_000))).toBeUndefined();
    expect(readStatus(`## Status${' '.repeat(1_000_000)}x`)?.status).toBe('');
  });
});

test('SD-49: a status beside a sidecar warns', () => {
  const files = { 'review.md': '## Status: DONE\n', 'review.json': '{"verdict":"APPROVED"}' };
  expect(validate(files)).toEqual(['STATUS_DUPLICATED']);
});

describe('SD-50: handoff.json', () => {
  it('needs three fields and recommends five', () => {
    const report = validateState(givenState({ 'handoff.json': '{"task":"x","phase":null}' }));
    expect(report.errors.map(({ code, field }) => [code, field])).toEqual([
      ['INPUT_MISSING_FIELD', 'phase'],
      ['INPUT_MISSING_FIELD', 'paused_at'],
    ]);
    expect(report.warnings.map(({ code }) => code)).toEqual(Array(5).fill('INPUT_MISSING_RECOMMENDED'));
  });
  it.each(['{', '[]', 'null'])('%s is unreadable', (text) => {
    expect(validate({ 'handoff.json': text })).toEqual(['INPUT_UNREADABLE']);
  });
});

describe('SD-52: the log of failed probes', () => {
  it('warns of bad lines, unknown categories and recent records', () => {
    const record = (ts: number, category: string) => JSON.stringify({ ts: new Date(ts).toISOString(), category });
    const hour = 3_600_000;
    const text = [record(NOW - 25 * hour, 'timeout'), 'x', '', record(NOW - 23 * hour, 'soon'), '[]'].join('\n');
    const report = validateState(givenState({ 'probe-failures.jsonl': text }));
    expect(report.valid).toBe(true);
    expect(report.warnings.map(({ code, line }) => [code, line])).toEqual([
      ['LOG_LINE_INVALID', 2],
      ['LOG_LINE_INVALID', 5],
      ['LOG_CATEGORY_UNKNOWN', 4],
      ['PROBE_FAILURES_RECENT', null],
    ]);
  });
  it('names only the first of many bad lines', () => {
    expect(validate({ 'probe-failures.jsonl': 'x\n'.repeat(500_000) })).toHaveLength(20);
  });
});

test('SD-28: a lock that no living process holds warns', () => {
  const lock = (text: string, isAlive: boolean) => codes(validateState(givenState({ '.lock': text }), () => isAlive));
  expect(lock('123', true)).toEqual([]);
  expect(lock('123\n', false)).toEqual(['LOCK_STALE']);
  expect(lock('{"pid":123}', true)).toEqual(['LOCK_STALE']);
});

test('the part detects, audits and validates', () => {
  expect(stateDirectoryPart.detect(NOTHING)).toEqual([]);
  const tree = givenState({ 'foo.txt': 'x', 'review.md': 'x' });
  expect(stateDirectoryPart.detect(tree)).toEqual([{ contract: 'devt/state-directory@1', path: STATE_DIR }]);
  expect(stateDirectoryPart.check(tree, STATE_DIR).flatMap(codes)).toEqual(['STATE_AD_HOC', 'SIDECAR_MISSING']);
  expect(stateDirectoryPart.check(tree, STATE_DIR, 'soft').map(({ valid }) => valid)).toEqual([true, false]);
});
