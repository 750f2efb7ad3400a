import { defined } from '../../../schemas/defined.ts';
import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import type { Backend } from '../../../schemas/enums.ts';
import type { ParsedParams } from '../../../schemas/rpc/methods/index.ts';
import { sandboxWish } from '../../../schemas/sandbox.ts';

type Asked = Pick<ParsedParams<'run.start'>, 'bind' | 'backend' | 'sandbox'>;

/** What a client asks of a start, as the engine takes it. */
export function startRequestOf<P extends Asked>({ bind, backend, sandbox, ...given }: P) {
  const wish = sandbox === undefined ? undefined : (sandboxWish(sandbox) ?? null);
  return { ...given, overrides: overridesOf(bind, backend), ...defined({ sandbox: wish }) };
}

export function overridesOf(bind: Record<string, string>, backend: Record<string, Backend>) {
  const overrides: Record<string, BindingOverride> = {};
  for (const [role, persona] of Object.entries(bind)) overrides[role] = { persona };
  for (const [role, id] of Object.entries(backend)) overrides[role] = { ...overrides[role], backend: id };
  return overrides;
}
