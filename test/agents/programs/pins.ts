import { PROFILES } from '../../../daemon/sessions/profiles/index.ts';
import { AGENT_PROGRAMS, type AgentProgram } from '../../../schemas/names.ts';

/** Where npm has each program. The versions are those of its profile. */
export const PINS = {
  claude: {
    /** The npm package whose newest version is that of the program. */
    packageName: (platform: string) => `@anthropic-ai/claude-code-${platform}`,
    /** The npm package with the program of this platform only. */
    spec: (platform: string, version: string) => `@anthropic-ai/claude-code-${platform}@${version}`,
    /** The path below the directory where npm put it. */
    binary: (platform: string) => `node_modules/@anthropic-ai/claude-code-${platform}/claude`,
  },
  codex: {
    packageName: () => '@openai/codex',
    spec: (platform: string, version: string) => `@openai/codex@${version}-${platform}`,
    binary: (platform: string) => `node_modules/@openai/codex/vendor/${TRIPLES[platform]}/bin/codex`,
  },
  gemini: {
    packageName: () => '@google/gemini-cli',
    /** A script, the same for every platform. It runs on the Node on PATH. */
    spec: (_platform: string, version: string) => `@google/gemini-cli@${version}`,
    binary: () => 'node_modules/@google/gemini-cli/bundle/gemini.js',
  },
  opencode: {
    packageName: (platform: string) => `opencode-${platform}`,
    spec: (platform: string, version: string) => `opencode-${platform}@${version}`,
    binary: (platform: string) => `node_modules/opencode-${platform}/bin/opencode`,
  },
} as const satisfies Record<AgentProgram, object>;

export type Program = AgentProgram;

export interface Release {
  program: Program;
  version: string;
}

/** A release of Claude Code changes what devflow reads more often than the others do: its oldest one is tried, too. */
export const OLDEST: Release = { program: 'claude', version: PROFILES.claude.tried[0] };

/** All, or the one that this run is about. */
export const PROGRAMS = AGENT_PROGRAMS.filter((program) => (process.env.DEVFLOW_TEST_PROGRAM ?? program) === program);

/**
 * Whether to run every test with it, or only the most telling ones. CI has time for all tests of the two programs that
 * the built-in templates name. `DEVFLOW_TEST_ALL=1` runs all tests of the others, too.
 */
export function isTriedWhole(program: Program): boolean {
  return ['claude', 'codex'].includes(program) || Boolean(process.env.DEVFLOW_TEST_ALL);
}

/** By npm's name of the platform. These are the platforms of devflow for which all vendors publish. */
export const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
