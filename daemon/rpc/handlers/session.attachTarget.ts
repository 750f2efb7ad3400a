import { resolveAttachTarget } from '../attachTarget.ts';
import type { Handler } from '../ports.ts';

export const sessionAttachTarget: Handler<'session.attachTarget'> = async ({ target }, { reads, sessions }) =>
  sessions.attachTarget(await resolveAttachTarget(target, reads));
