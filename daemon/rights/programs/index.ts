import type { AgentProgram } from '../../../schemas/names.ts';
import { claudeRights } from './claude.ts';
import { codexRights } from './codex.ts';
import { geminiRights } from './gemini.ts';
import { opencodeRights } from './opencode.ts';
import type { RightsReader } from './reading.ts';

export const RIGHTS_READERS: Readonly<Record<AgentProgram, RightsReader>> = {
  codex: codexRights,
  claude: claudeRights,
  gemini: geminiRights,
  opencode: opencodeRights,
};
