import fc from 'fast-check';
import type { Outcome } from '../../../../daemon/core/effect/outcome.ts';
import type { Signal } from '../../../../daemon/core/handleSignal.ts';
import { openGates } from '../../../../daemon/core/run/query.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { dueOutcomes, hostNews, sessionNews, signalsAt } from './inputs.ts';

const TOKENS = ['token one', 'token two'];

export type Kind =
  | 'hoped'
  | 'approve'
  | 'change'
  | 'due'
  | 'trouble'
  | 'late'
  | 'session'
  | 'host'
  | 'signal'
  | 'pause'
  | 'resume';
export interface Move {
  kind: Kind;
  pick: number;
}

/** Moves of these kinds, each as often as its weight. */
export function moves(weights: Partial<Record<Kind, number>>): fc.Arbitrary<Move> {
  const kinds = Object.entries(weights).map(([kind, weight]) => ({
    weight,
    arbitrary: fc.constant(kind as Kind),
  }));
  return fc.record({ kind: fc.oneof(...kinds), pick: fc.nat(9_999) });
}

/** The input for a move at this point. `past` holds every outcome that was possible so far. */
export function inputOf(run: Run, { kind, pick }: Move, past: readonly Outcome[]): Outcome | Signal | undefined {
  const from = <T>(candidates: readonly T[]): T | undefined => candidates[pick % candidates.length];
  switch (kind) {
    case 'hoped':
      return dueOutcomes(run)[0];
    case 'due':
      return from(dueOutcomes(run));
    case 'trouble':
      return from(dueOutcomes(run).filter((outcome) => !isFatal(outcome)));
    case 'late':
      return from(past);
    case 'session':
      return from(sessionNews(run));
    case 'host':
      return from(hostNews(run));
    case 'signal':
      return from<Signal>(signalsAt(run, TOKENS));
    case 'approve':
      return from(signalsAt(run, TOKENS).filter((signal) => signal.type === 'decide' && signal.action === 'approve'));
    case 'change':
      return from(
        openGates(run).map(({ id }): Signal => {
          const comment = pick % 3 === 0 ? null : `do it otherwise (${pick})`;
          return { type: 'decide', approvalRequestId: id, action: 'request_changes', comment, clientToken: 'change' };
        }),
      );
    case 'pause':
      return { type: 'pause', reason: 'lunch' };
    case 'resume':
      return { type: 'resume' };
    default:
      return kind satisfies never;
  }
}

/** It would end the run. */
export function isFatal(outcome: Outcome): boolean {
  return outcome.type === 'effectFailed' && outcome.error.class === 'fatal';
}
