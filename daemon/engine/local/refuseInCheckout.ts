import { DevflowError } from '../../../schemas/errors.ts';
import type { Effect } from '../../core/effect/effect.ts';

/** The effects that a run in a person's checkout may have. Their performers leave it as it is. */
const HARMLESS: ReadonlySet<Effect['type']> = new Set([
  'startSession',
  'recoverSession',
  'sendMessage',
  'commitWork',
  'inspectWorktree',
  'runCommand',
]);

/** Throws `internal` for any other effect on a person's checkout: it would write there. */
export function refuseInCheckout(effect: Effect): void {
  if (HARMLESS.has(effect.type) || !isAboutCheckout(effect)) return;
  throw new DevflowError('internal', `devflow does not perform ${effect.type} in a person's checkout.`);
}

/** Places are fields of effects, or of sessions in them. */
function isAboutCheckout(effect: Effect): boolean {
  return Object.values(effect).some((field) => isCheckout(field) || isCheckout((field as Field)?.lane));
}

type Field = { lane?: unknown; isCheckout?: unknown } | null | undefined;

function isCheckout(value: unknown): boolean {
  return typeof value === 'object' && (value as Field)?.isCheckout === true;
}
