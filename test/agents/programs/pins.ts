/** The programs that the suite was measured with. A newer release is tried by changing its line here. */
export const PINS = {
  claude: {
    version: '2.1.197',
    /** What npm is asked for: the package that holds nothing but this platform's program. */
    spec: (platform: string, version: string) => `@anthropic-ai/claude-code-${platform}@${version}`,
    /** From the place where npm put it. */
    binary: (platform: string) => `node_modules/@anthropic-ai/claude-code-${platform}/claude`,
  },
  codex: {
    version: '0.169.0',
    spec: (platform: string, version: string) => `@openai/codex@${version}-${platform}`,
    binary: (platform: string) => `node_modules/@openai/codex/vendor/${TRIPLES[platform]}/bin/codex`,
  },
  gemini: {
    version: '0.61.0',
    /** The same for every platform: a script, for the Node that is on PATH. */
    spec: (_platform: string, version: string) => `@google/gemini-cli@${version}`,
    binary: () => 'node_modules/@google/gemini-cli/bundle/gemini.js',
  },
  opencode: {
    version: '1.18.33',
    spec: (platform: string, version: string) => `opencode-${platform}@${version}`,
    binary: (platform: string) => `node_modules/opencode-${platform}/bin/opencode`,
  },
} as const;

export type Program = keyof typeof PINS;

export const PROGRAMS = Object.keys(PINS) as Program[];

/**
 * Whether all is tried with it, or what tells most of it: the two that the built-in templates name, and with
 * `DEVFLOW_TEST_ALL=1` the others too, for which CI has not the time.
 */
export function isTriedWhole(program: Program): boolean {
  return ['claude', 'codex'].includes(program) || Boolean(process.env.DEVFLOW_TEST_ALL);
}

/** By npm's name of the platform: those for which all vendors publish, and that devflow runs on. */
export const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
