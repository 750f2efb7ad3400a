import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Consent, createConsents } from '../../../../daemon/settings/consent/consents.ts';
import { sha256hex } from '../../../../schemas/hash.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-consents-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return { store: createConsents(root), file: join(root, 'consents.json') };
}

const consent = (name: string, lines: string[]): Consent => ({
  repository: `/src/${name}/.git`,
  part: 'worktree',
  hash: sha256hex(name),
  decision: 'allowed',
  at: '2026-01-01T00:00:00.000Z',
  lines,
});

test('endless lines of one repository cost no decision about others', () => {
  const { store, file } = given();
  const small = consent('small', ['run npm ci']);
  store.write([small]);
  const endless = Array.from({ length: 400 }, (_, nth) => `run ${String(nth)} ${'\u{1f600}x'.repeat(2000)}`);
  for (let nth = 0; nth < 30; nth++) store.write([consent(`large-${nth}`, endless)]);
  expect(statSync(file).size).toBeLessThan(4 * 1024 * 1024);
  expect(store.read(small)).toBe('allowed');
  expect(store.read(consent('large-29', []))).toBe('allowed');
});

test('the oldest decisions go before the file is more than devflow reads', () => {
  const { store, file } = given();
  const lines = Array.from({ length: 100 }, () => 'x'.repeat(300));
  const all = Array.from({ length: 300 }, (_, nth) => consent(`thing-${nth}`, lines));
  store.write(all);
  expect(statSync(file).size).toBeLessThan(4 * 1024 * 1024);
  expect(store.read(consent('thing-0', []))).toBeUndefined();
  expect(store.read(consent('thing-299', []))).toBe('allowed');
});
