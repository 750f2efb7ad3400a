import { roleInstances } from '../../../schemas/definitions/template.ts';
import type { Backend } from '../../../schemas/enums.ts';
import { type BindingRequest, bindRoles } from './binding.ts';
import { backendFault } from './candidates.ts';
import { selectPersona } from './selectPersona.ts';

/** The backend that last played a role of a repository. */
export interface LastBackend {
  roleId: string;
  backend: Backend;
  runId: string;
}

export interface Remembered {
  remembered: LastBackend[];
  unusable: (LastBackend & { reason: string })[];
}

/**
 * The last backends that a new run should reuse. The role has no override, the backend can be bound now, and devflow would
 * not choose it anyway. `fake` is never one of them: a rehearsal says nothing about the next run.
 */
export function rememberBackends(request: BindingRequest, last: readonly LastBackend[]): Remembered {
  const chosen = bindRoles(request);
  const isChosen = ({ roleId, backend }: LastBackend) =>
    chosen.ok && chosen.bindings.some((each) => each.roleId === roleId && each.backend === backend);
  const open = openRoles(request);
  const checked = last
    .filter((each) => each.backend !== 'fake' && open.has(each.roleId) && !isChosen(each))
    .map((each) => ({ each, reason: faultOf(request, each) }));
  const unusable = checked.flatMap(({ each, reason }) => (reason === undefined ? [] : [{ ...each, reason }]));
  const remembered = checked.flatMap(({ each, reason }) => (reason === undefined ? [each] : []));
  // Each can be bound alone, but together they may violate a rule: different backends, or one editor per worktree.
  const overrides = Object.fromEntries(remembered.map(({ roleId, backend }) => [roleId, { backend }]));
  const together = bindRoles({ ...request, overrides: { ...request.overrides, ...overrides } });
  if (together.ok || !chosen.ok) return { remembered, unusable };
  const reason = together.error.message;
  return { remembered: [], unusable: [...unusable, ...remembered.map((each) => ({ ...each, reason }))] };
}

function openRoles({ template, overrides }: BindingRequest): ReadonlySet<string> {
  const left = template.roles.filter(({ id }) => !overrides[id]).flatMap(roleInstances);
  return new Set(left.filter((roleId) => !overrides[roleId]));
}

/** Why the role cannot have that backend, regardless of the other roles. */
function faultOf(
  { template, personas, backends }: BindingRequest,
  { roleId, backend }: LastBackend,
): string | undefined {
  const role = template.roles.find((each) => roleInstances(each).includes(roleId));
  if (!role) return `${template.name}@${template.version} has no role ${roleId}`;
  const unusable = backendFault(backend, backends);
  if (unusable) return unusable.message;
  const selection = selectPersona({ template, role, personas, backends, override: { backend } });
  return selection.ok ? undefined : `no persona on ${backend} may play ${roleId}`;
}
