import { z } from 'zod';
import { SANDBOX_LEVELS, SANDBOX_WORDS } from './names.ts';

export const SandboxLevel = z.enum(SANDBOX_LEVELS);
export type SandboxLevel = z.infer<typeof SandboxLevel>;

export const SandboxNetwork = z.enum(['on', 'off']);

const MOST_PATHS = 100;
const Path = z.string().regex(/^(?:~\/|\/)[^\0]*$/, 'must be an absolute path, or begin with ~/');
const Paths = z.array(Path).max(MOST_PATHS);

/** The sandbox that a setting asks for. */
export const SandboxWish = z.strictObject({
  level: SandboxLevel,
  /** Default: on, because agents reach their models by it. */
  network: SandboxNetwork.optional(),
  /** More files and directories that are visible inside. */
  read: Paths.optional(),
  /** The same, which can be written, too. */
  write: Paths.optional(),
});
export type SandboxWish = z.infer<typeof SandboxWish>;

export const SandboxWord = z.enum(SANDBOX_WORDS);

/** The setting `sandbox`: one word, or a level with more. */
export const SandboxSetting = z.union([SandboxWord, SandboxWish.extend({ level: SandboxWord })], {
  error: `must be ${SANDBOX_WORDS.join(' or ')}, or a map with level, network, read and write`,
});
export type SandboxSetting = z.infer<typeof SandboxSetting>;

/** The wish of a setting; undefined for no sandbox. */
export function sandboxWish(setting: SandboxSetting | undefined): SandboxWish | undefined {
  const { level, ...more } = typeof setting === 'object' ? setting : { level: setting ?? 'off' };
  return level === 'off' ? undefined : { ...more, level };
}

/** The sandbox that a run recorded at its start: the wish, and what makes it hold. */
export const Sandbox = SandboxWish.extend({
  /** The program that makes it, with its version. */
  by: z.string(),
  /** Gaps that this system leaves open. Absent: nothing. */
  open: z.array(z.string()).min(1).optional(),
});
export type Sandbox = z.infer<typeof Sandbox>;
