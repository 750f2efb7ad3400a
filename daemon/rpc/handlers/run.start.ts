import type { BindingOverride } from '../../../schemas/persona.ts';
import type { Handler } from '../ports.ts';

export const runStart: Handler<'run.start'> = async ({ bind, backend, dryRun, ...request }, { engine }) => {
  const overrides: Record<string, BindingOverride> = {};
  for (const [role, persona] of Object.entries(bind)) overrides[role] = { persona };
  for (const [role, id] of Object.entries(backend)) overrides[role] = { ...overrides[role], backend: id };
  return dryRun ? engine.previewRun({ ...request, overrides }) : engine.startRun({ ...request, overrides });
};
