import { z } from 'zod';
import { defineEvent } from '../../events/define.ts';

export const directEvents = [
  /** A person says that the work is finished. `now`: also if the agent is in a turn, or has messages left. */
  defineEvent(
    'direct.finished',
    z.strictObject({ attempt: z.number().int().positive(), now: z.literal(true).optional() }),
    ({ phaseId, payload }) => `direct.finished:${phaseId}:${payload.attempt}${payload.now ? ':now' : ''}`,
  ),
] as const;
