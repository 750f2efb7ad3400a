import { decide } from '../../../../daemon/core/decide.ts';
import type { EffectOf } from '../../../../daemon/core/effect/effect.ts';
import type { Assignment, Session } from '../../../../daemon/core/run/state.ts';
import { bound, type Story, sent, started } from './given.ts';

/** Stories about one agent: its session, its assignment, and the artifact that devflow awaits from it. */

/** The agent has its first prompt. */
export const waiting = [bound, started, sent];

export const session = ({ run }: Story): Session | undefined => run.sessions[0];

export const work = ({ run }: Story): Assignment | undefined => run.phases[0]?.assignments[0];

export function awaited({ run }: Story): EffectOf<'awaitArtifact'> {
  const effect = decide(run).find(({ type }) => type === 'awaitArtifact');
  if (effect?.type !== 'awaitArtifact') throw new TypeError('no artifact is awaited');
  return effect;
}
