import { AGENT_PROGRAMS } from '../names.ts';
import type { AgentRights } from './agentSettings.ts';

/** `claude (hooks and rules; servers db); codex (servers docs for all roles)`. Settings have plain names alone. */
export function rightsWords({ settings }: Pick<AgentRights, 'settings'>): string {
  const each = AGENT_PROGRAMS.flatMap((program) => {
    const { settings: isOn = false, mcp = [], mcpForAll = [] } = settings[program] ?? {};
    const parts = [
      ...(isOn ? ['hooks and rules'] : []),
      ...(mcp.length > 0 ? [`servers ${mcp.join(', ')}`] : []),
      ...(mcpForAll.length > 0 ? [`servers ${mcpForAll.join(', ')} for all roles`] : []),
    ];
    return parts.length === 0 ? [] : [`${program} (${parts.join('; ')})`];
  });
  return each.join('; ');
}
