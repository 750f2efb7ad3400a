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
} as const;

export type Program = keyof typeof PINS;

/** By npm's name of the platform: those for which both vendors publish, and that devflow runs on. */
export const TRIPLES: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
