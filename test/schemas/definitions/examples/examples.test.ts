import { describe, expect, test } from 'vitest';
import { examplePersona } from '../../../../schemas/definitions/examples/examplePersona.ts';
import { exampleTemplate } from '../../../../schemas/definitions/examples/exampleTemplate.ts';
import { BACKENDS, EXAMPLE_KINDS } from '../../../../schemas/names.ts';
import { linesOf, personaLint, templateLint } from '../lint/givenLint.ts';

describe('lint has nothing to say about an example', () => {
  test.each(EXAMPLE_KINDS)('of the kind %s', (kind) => {
    const said = templateLint(exampleTemplate('mine', kind), { file: 'mine@1.yaml' });
    expect(linesOf(said)).toEqual([]);
    expect(said.identity).toMatchObject({ name: 'mine', version: 1 });
  });

  test.each(BACKENDS)('of a persona for %s', (backend) => {
    expect(linesOf(personaLint(examplePersona('me', backend), { file: 'me@1.yaml' }))).toEqual([]);
  });
});
