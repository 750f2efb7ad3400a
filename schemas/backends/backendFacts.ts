import type { Backend } from '../enums.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../names.ts';
import { eitherOf } from '../text/phrases.ts';

/**
 * The facts about a backend for the core, the settings and the documents. Its profile in daemon/sessions/profiles has
 * the rest.
 */
export interface BackendFacts {
  /** The name of the program in sentences. */
  readonly title: string;
  /** Variables of the daemon's environment that the program gets, besides the common ones. */
  readonly passEnv: readonly string[];
  /** The keys of a persona's `modelConfig` that devflow passes on. */
  readonly modelConfig: readonly string[];
  /** In the mode `read` it has a shell that changes nothing; otherwise none. */
  readonly readerHasShell: boolean;
  /** The parts of a repository that are written for it. */
  readonly reads: AgentFiles;
}

/** Paths in a repository: instructions, and directories of skills, sub-agents and slash commands. */
export type AgentFiles = Readonly<Record<'files' | 'skills' | 'agents' | 'commands', readonly string[]>>;

export const BACKEND_FACTS: Readonly<Record<Backend, BackendFacts>> = {
  claude: {
    title: 'Claude Code',
    passEnv: ['CLAUDE_CONFIG_DIR', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'],
    modelConfig: ['model'],
    readerHasShell: false,
    reads: {
      files: ['CLAUDE.md', '.claude/CLAUDE.md'],
      skills: ['.claude/skills'],
      agents: ['.claude/agents'],
      commands: ['.claude/commands'],
    },
  },
  codex: {
    title: 'Codex',
    passEnv: ['CODEX_HOME', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY'],
    modelConfig: ['model'],
    readerHasShell: true,
    reads: {
      files: ['AGENTS.md'],
      skills: ['.agents/skills', '.codex/skills'],
      agents: [],
      commands: ['.codex/prompts'],
    },
  },
  gemini: {
    title: 'Gemini CLI',
    passEnv: [
      ...['GEMINI_API_KEY', 'GEMINI_MODEL', 'GEMINI_CLI_HOME', 'GOOGLE_GEMINI_BASE_URL'],
      ...['GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION', 'GOOGLE_APPLICATION_CREDENTIALS'],
      ...['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_GCA', 'GOOGLE_VERTEX_BASE_URL'],
    ],
    modelConfig: ['model'],
    readerHasShell: false,
    reads: {
      files: ['GEMINI.md'],
      skills: ['.gemini/skills'],
      agents: ['.gemini/agents'],
      commands: ['.gemini/commands'],
    },
  },
  opencode: {
    title: 'opencode',
    passEnv: [
      ...['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_MODELS_URL'],
      ...['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY', 'OPENCODE_API_KEY'],
    ],
    modelConfig: ['model'],
    readerHasShell: false,
    reads: {
      files: ['AGENTS.md'],
      skills: ['.opencode/skills'],
      agents: ['.opencode/agent', '.opencode/agents'],
      commands: ['.opencode/command', '.opencode/commands'],
    },
  },
  fake: {
    title: 'the fake agent',
    passEnv: [],
    modelConfig: [],
    readerHasShell: false,
    reads: { files: [], skills: [], agents: [], commands: [] },
  },
};

/** In the order of the alphabet, as texts name them. */
export const PROGRAMS_BY_NAME: readonly AgentProgram[] = AGENT_PROGRAMS.toSorted();

/** `claude, codex, gemini or opencode`. */
export const ANY_PROGRAM = eitherOf(PROGRAMS_BY_NAME);
