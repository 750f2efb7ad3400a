import type { Binding } from '../../../../schemas/definitions/persona.ts';
import type { PermissionMode } from '../../../../schemas/enums.ts';

/** What the agent of a binding is started with: what one from before modes were frozen had, its run keeps. */
export const modeOf = ({ permissionMode }: Pick<Binding, 'permissionMode'>): PermissionMode =>
  permissionMode ?? 'execute';
