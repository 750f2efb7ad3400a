import { defined } from '../../../schemas/defined.ts';
import { modeOf } from '../../core/binding/binding.ts';
import type { SessionStart } from '../../core/effect/effect.ts';
import { grantRights } from '../../rights/grantRights.ts';
import type { SessionInput } from '../../sessions/manager.ts';
import { renderPrelude } from '../../sessions/prelude.ts';

/** Translates the engine's session start into the session manager's. */
export function sessionInput(session: SessionStart): SessionInput {
  const { sessionId, runId, repoPath, roleId, title, laneId, backend, cwd, binding } = session;
  const { env, lane, rights, sandbox, wrap, isLed } = session;
  const { modelConfig } = binding;
  const permissionMode = modeOf(binding);
  const prelude = renderPrelude(binding, { isLed: isLed ?? false });
  const { path, branch, head, isCheckout } = lane;
  const worktree = { repoPath, path, branch, ...defined({ head, isCheckout }) };
  const asked =
    rights && backend !== 'fake' ? { runId, repoPath, ...rights, program: backend, mode: permissionMode } : undefined;
  const further = defined({
    env,
    sandbox: sandbox && { wish: sandbox, worktree },
    wrap,
    isLed,
    rights: asked && (() => grantRights(asked)),
  });
  const who = { sessionId, runId, repoPath, roleId, title, laneId, backend, cwd };
  return { ...who, modelConfig, permissionMode, prelude, ...further };
}
