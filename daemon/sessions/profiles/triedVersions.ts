/**
 * The versions of each program that devflow's tests ran with, the oldest first. devflow starts any other version, too;
 * `devflow doctor --agents` warns of it.
 */
export const TRIED_VERSIONS = {
  claude: ['2.1.197', '2.1.332'],
  codex: ['0.169.0', '0.171.0'],
  gemini: ['0.61.0'],
  opencode: ['1.18.33', '1.18.34'],
} as const;

export type TriedProgram = keyof typeof TRIED_VERSIONS;

export function oldestTried(program: TriedProgram): string {
  return TRIED_VERSIONS[program][0];
}

export function newestTried(program: TriedProgram): string {
  return TRIED_VERSIONS[program].at(-1) ?? oldestTried(program);
}

/** A sentence without a full stop if the version was not tried; undefined also if the program names no version. */
export function untriedNote(program: string, versionOutput: string | undefined): string | undefined {
  const [version] = /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(versionOutput ?? '') ?? [];
  if (version === undefined || !isTriedProgram(program)) return undefined;
  const tried: readonly string[] = TRIED_VERSIONS[program];
  if (tried.includes(version)) return undefined;
  return `${version} was not tried with devflow; newest tried: ${newestTried(program)}`;
}

function isTriedProgram(program: string): program is TriedProgram {
  return Object.hasOwn(TRIED_VERSIONS, program);
}
