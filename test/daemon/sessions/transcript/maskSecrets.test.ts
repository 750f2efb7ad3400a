import { expect, test } from 'vitest';
import { maskSecrets, safeLength } from '../../../../daemon/sessions/transcript/maskSecrets.ts';

// Put together here, so that no scanner takes this file for a leak.
const long = 'A1b2C3d4E5f6G7h8I9j0K1l2';
const pem = (end = true) =>
  `-----BEGIN RSA PRIVATE ${'KEY'}-----\nMIIEow\nabc\n${end ? `-----END RSA PRIVATE ${'KEY'}-----\n` : ''}`;

/** As long as the secret. */
const label = (kind: string, secret: string) => `[masked: ${kind}]`.padEnd(secret.length, '*');
const github = `github_pat_${long}`;

test.each([
  ['sk-', `key sk-ant-${long} end`, `key ${label('api key', `sk-ant-${long}`)} end`],
  ['ghp_', `x=ghp_${long}`, `x=${label('github token', `ghp_${long}`)}`],
  ['github_pat_', github, label('github token', github)],
  ['in colour', `\x1b[1;32msk-${long}\x1b[m`, `\x1b[1;32m${label('api key', `sk-${long}`)}\x1b[m`],
  ['AKIA', `id AKIA${'ABCDEFGH12345678'}.`, `id ${label('aws key', 'x'.repeat(20))}.`],
  ['Bearer', `Authorization: Bearer ${long}==\n`, `Authorization: Bearer ${label('bearer token', `${long}==`)}\n`],
  ['one too short for a label', `postgres://me:${'hunter2'}@localhost/x`, 'postgres://me:*******@localhost/x'],
  ['one without a user', `redis://:${'hunter2'}@localhost/0`, 'redis://:*******@localhost/0'],
  ['a jwt', `eyJ${long}.eyJ${long}.${long}`, label('json web token', 'x'.repeat(80))],
  ['PEM', `a\n${pem()}b`, `a\n[masked: private key]**********\n******\n***\n${'*'.repeat(29)}\nb`],
  ['an unfinished PEM', `a\n${pem(false)}`, 'a\n[masked: private key]**********\n******\n***\n'],
  ['nothing', 'sk-8 ask-me-anything-about-this risk-taking, Bearer of news', undefined],
])('%s', (_name, text, expected) => {
  expect(maskSecrets(text)).toBe(expected ?? text);
  expect(maskSecrets(text)).toHaveLength(text.length);
});

test('stays fast on text made to be slow', () => {
  for (const unit of ['eyJ-', 'sk-', '-----BEGIN PRIVATE KEY-----', '://a:', 'bearer ', 'AKIA', '\x1b[32m']) {
    const text = unit.repeat(80_000 / unit.length);
    expect(maskSecrets(text)).toHaveLength(text.length);
    expect(safeLength(text)).toBeLessThanOrEqual(text.length);
  }
});

test.each([
  ['all of it', 'one two\n', 8],
  ['not the last word', 'one sk-abc', 4],
  ['not a Bearer without its token', 'x Bearer ', 2],
  ['not a Bearer with a part of it', 'x Bearer abc', 2],
  ['not an open key block', `ab\n${pem(false)}`, 3],
  ['a closed key block', pem(), pem().length],
])('safe: %s', (_name, text, expected) => {
  expect(safeLength(text)).toBe(expected);
});

test('holds back an endless word only up to a limit', () => {
  expect(safeLength('x'.repeat(100_000))).toBe(100_000 - 16_384);
});
