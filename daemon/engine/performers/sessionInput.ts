import type { SessionStart as ManagerStart } from '../../sessions/manager.ts';
import { renderPrelude } from '../../sessions/prelude.ts';
import { modeOf } from '../core/binding/binding.ts';
import type { SessionStart } from '../core/effect.ts';

/** The engine's words for a session in those of the session manager. */
export function sessionInput({
  sessionId,
  runId,
  repoPath,
  roleId,
  backend,
  cwd,
  binding,
}: SessionStart): ManagerStart {
  const { modelConfig } = binding;
  const permissionMode = modeOf(binding);
  const envelopePrelude = renderPrelude(binding);
  return { sessionId, runId, repoPath, roleId, backend, cwd, modelConfig, permissionMode, envelopePrelude };
}
