import { expect, it } from 'vitest';
import { escapeNonAscii } from '../../build/escapeNonAscii.ts';

it.each([
  ['a text', '"é 漢 👩"', 'é 漢 👩'],
  ['a template', '`é漢`', 'é漢'],
  ['a text after a backslash', '"\\\\é"', '\\é'],
  ['a text with an escaped letter', '"\\é\\漢"', 'é漢'],
])('keeps the meaning of %s', (_, code, meaning) => {
  const escaped = escapeNonAscii(code);
  expect(escaped).toMatch(/^[\x20-\x7e]*$/);
  // biome-ignore lint/security/noGlobalEval: the text is of this file, and its meaning is what is compared.
  expect([eval(code), eval(escaped)]).toEqual([meaning, meaning]);
});

it.each(['/[é-ü]+/g', '/\\é\\\\é|漢/', '/👩/u', '/[👩é]/u', '/(?<!\\é)x/'])('keeps what %s matches', (code) => {
  // biome-ignore lint/security/noGlobalEval: as above.
  const [plain, escaped] = [eval(code), eval(escapeNonAscii(code))] as [RegExp, RegExp];
  for (const text of ['é', '\\é', 'ü', '漢', '👩', '\ud83d', 'x', 'éx', 'u00e9', '\\u00e9x'])
    expect(text.match(escaped)?.[0]).toBe(text.match(plain)?.[0]);
});
