import { expect, it } from 'vitest';
import type { EventView } from '../../../schemas/rpc/views/run.ts';
import { createInterner } from '../../../tui/data/intern.ts';
import { givenEvent } from '../given.ts';

it('changes no event', () => {
  const intern = createInterner();
  const payload = { sessionId: 'bbbb', long: 'x'.repeat(500), nested: { deep: ['bbbb'] }, none: null, count: 3 };
  for (let seq = 1; seq <= 3; seq += 1) {
    const event = { ...givenEvent(seq), phaseId: seq === 2 ? null : 'phase', payload } as EventView;
    expect(intern(structuredClone(event))).toEqual(event);
  }
});

it('keeps a limited number of strings', () => {
  const intern = createInterner();
  for (let seq = 1; seq <= 30_000; seq += 1) {
    const event = intern({ ...givenEvent(seq), payload: { sessionId: `session ${seq}` } });
    expect(event.payload.sessionId).toBe(`session ${seq}`);
  }
});
