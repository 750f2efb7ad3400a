import { z } from 'zod';
import { BindingOverride } from '../../definitions/persona.ts';
import { Backend, PermissionMode } from '../../enums.ts';

/** A role, the persona that plays it, and why. */
export const BindingView = z.object({
  roleId: z.string(),
  role: z.string(),
  persona: z.string().describe('name@version'),
  personaHash: z.string(),
  backend: Backend,
  bindingHash: z.string(),
  override: BindingOverride.nullable(),
  permissionMode: PermissionMode.describe('what its agent may do'),
  reason: z.string(),
});
export type BindingView = z.infer<typeof BindingView>;
