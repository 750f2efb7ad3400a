import { expect, test } from 'vitest';
import { gateAbout } from '../../../schemas/gates/gateWords.ts';

test('a gate is about its assignment or its lane, and never about main', () => {
  expect(gateAbout({ laneId: 'lane-1', assignment: null })).toBe('lane-1');
  expect(gateAbout({ laneId: null, assignment: 'api' })).toBe('api');
  expect(gateAbout({ laneId: 'main', assignment: null })).toBeNull();
});
