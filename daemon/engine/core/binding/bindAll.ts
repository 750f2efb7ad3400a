import type { Binding } from '../../../../schemas/definitions/persona.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { type BindingRequest, bindRoles } from './binding.ts';

/** The binding of every role; throws why a role has none. */
export function bindAll(request: BindingRequest, runId?: string): Binding[] {
  const bound = bindRoles(request);
  if (bound.ok) return bound.bindings;
  const { code, message, refusals } = bound.error;
  throw new DevflowError(code, message, { ...(runId === undefined ? {} : { runId }), data: { refusals } });
}
