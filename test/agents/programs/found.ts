import { PROGRAMS, type Program } from './pins.ts';

/** The variable in which `run.ts` names the program that it found. Without it the suite does not exist. */
export const foundAt = (program: Program): string => `DEVFLOW_TEST_${program.toUpperCase()}`;

/** The same for the oldest Claude Code that devflow supports. */
export const FOUND_OLDEST_AT = 'DEVFLOW_TEST_CLAUDE_OLDEST';

export const BINARIES = Object.fromEntries(
  PROGRAMS.map((program) => [program, process.env[foundAt(program)] ?? program]),
) as Record<Program, string>;
