import { type AgentFiles, BACKEND_FACTS, PROGRAMS_BY_NAME } from './backendFacts.ts';

/** The parts of a repository that are written for agents, each path once. */
export const AGENT_FILES: AgentFiles = {
  files: pathsOf('files'),
  skills: pathsOf('skills'),
  agents: pathsOf('agents'),
  commands: pathsOf('commands'),
};

/** The names of instructions in any directory: `CLAUDE.md`. */
export const INSTRUCTION_NAMES: readonly string[] = AGENT_FILES.files.filter((path) => !path.includes('/'));

/** The directories of agents: `.claude`. */
export const AGENT_DIRECTORIES: readonly string[] = [
  ...new Set(
    Object.values(AGENT_FILES).flatMap((paths) => paths.flatMap((path) => path.split('/').slice(0, -1)[0] ?? [])),
  ),
];

function pathsOf(kind: keyof AgentFiles): string[] {
  return [...new Set(PROGRAMS_BY_NAME.flatMap((id) => BACKEND_FACTS[id].reads[kind]))];
}
