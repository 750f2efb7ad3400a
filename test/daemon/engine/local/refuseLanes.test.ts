import { expect, it } from 'vitest';
import { refuseLanes } from '../../../../daemon/engine/local/refuseLanes.ts';
import { graph, lanes, parse, verify } from '../../../schemas/definitions/phaseKinds/givenTemplate.ts';
import { TEMPLATES } from '../core/support/templates.ts';

it('refuses a template with lanes before a run is made of it', () => {
  const { data } = parse([graph, lanes, verify]);
  if (!data) throw new Error('the template is not sound');
  expect(() => refuseLanes(data)).toThrow(
    expect.objectContaining({
      code: 'binding_refused',
      message: 'Template given@1 cannot be run: this devflow has no phases of kind lanes (implement).',
    }),
  );
  expect(() => refuseLanes(TEMPLATES.development)).not.toThrow();
});
