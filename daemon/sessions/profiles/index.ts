import type { AgentProgram } from '../../../schemas/names.ts';
import type { Profile } from '../tmux/profile/profile.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';

/** The profile of each agent program. */
export const PROFILES: Readonly<Record<AgentProgram, Profile>> = { claude, codex, gemini, opencode };
