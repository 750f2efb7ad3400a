import type { BindingOverride } from '../../../schemas/definitions/persona.ts';
import type { Backend } from '../../../schemas/enums.ts';
import type { Handler } from '../ports.ts';

export const runStart: Handler<'run.start'> = async ({ bind, backend, dryRun, ...request }, { engine }) => {
  const overrides = overridesOf(bind, backend);
  return dryRun ? engine.previewRun({ ...request, overrides }) : engine.startRun({ ...request, overrides });
};

export function overridesOf(bind: Record<string, string>, backend: Record<string, Backend>) {
  const overrides: Record<string, BindingOverride> = {};
  for (const [role, persona] of Object.entries(bind)) overrides[role] = { persona };
  for (const [role, id] of Object.entries(backend)) overrides[role] = { ...overrides[role], backend: id };
  return overrides;
}
