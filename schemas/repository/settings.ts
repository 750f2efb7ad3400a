import { z } from 'zod';
import { Backend } from '../enums.ts';
import { repositoryPathFault } from '../files/repositoryPath.ts';
import { AutoGates } from '../gates/autoGates.ts';
import { SandboxSetting } from '../sandbox.ts';
import { commandWords } from '../text/commandWords.ts';
import { AgentSettings } from './agentSettings.ts';
import { isReservedVariable } from './variables.ts';

const MOST_ENTRIES = 100;
const MOST_CHARACTERS = 4000;

const Text = z
  .string()
  .min(1)
  .max(MOST_CHARACTERS)
  .refine((text) => !/\p{Cc}/u.test(text) && text.isWellFormed(), 'has characters that are not allowed here');

/** A command: one line of words, as for `--verify`, or a list of words. */
const Command = z.unknown().transform((value, context): string[] => {
  const read = readCommand(value);
  if (typeof read !== 'string') return read;
  context.addIssue({ code: 'custom', message: read });
  return z.NEVER;
});

/** The words, or the fault. */
function readCommand(value: unknown): string[] | string {
  if (typeof value === 'string') {
    const read = commandWords(value);
    return read.ok ? fitting(read.words) : read.fault;
  }
  const isArgv = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
  return isArgv ? fitting(value) : 'must be a command: one line, or a list of words in quotes';
}

function fitting(words: string[]): string[] | string {
  if (words.join(' ').length > MOST_CHARACTERS) return `must have at most ${MOST_CHARACTERS} characters`;
  return words.some((word) => word.includes('\0') || !word.isWellFormed())
    ? 'has characters that no command can have'
    : words;
}

const Commands = z.array(Command).max(MOST_ENTRIES);

/** Files that git ignores, in the syntax of ignore files. */
const Place = Text.superRefine((pattern, context) => {
  const fault = placeFault(pattern.replace(/^!?\/?/, ''));
  if (fault !== undefined) context.addIssue({ code: 'custom', message: `${JSON.stringify(pattern)} ${fault}` });
});
const Places = z.array(Place).max(MOST_ENTRIES);

const Path = Text.superRefine((path, context) => {
  const fault = repositoryPathFault(path);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: `${JSON.stringify(path)} ${fault}` });
});

/** The fault of a path that may not be placed in a worktree, as the end of a sentence. */
function placeFault(path: string): string | undefined {
  if (/^(?:\.\/)*\.devflow(?:\/|$)/.test(path)) return "lies in devflow's own directory";
  return repositoryPathFault(path);
}

const Variable = z.string().superRefine((name, context) => {
  const fault = variableFault(name);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});

const Environment = z.record(z.string(), z.string().max(MOST_CHARACTERS)).superRefine((env, context) => {
  for (const name of Object.keys(env)) {
    const fault = variableFault(name);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, path: [name] });
  }
});

function variableFault(name: string): string | undefined {
  if (!/^[A-Za-z_]\w{0,99}$/.test(name)) return 'must be the name of a variable: letters, digits and _';
  return isReservedVariable(name) ? 'is set by devflow or by the system' : undefined;
}

/** The settings of a repository, in `devflow.yaml` and in the person's file for it. Commands are lists of words here. */
export const RepositorySettings = z.strictObject({
  template: Text.optional(),
  base: Text.optional(),
  verify: Commands.optional(),
  backends: z.record(Text, Backend).optional(),
  worktree: z
    .strictObject({
      copy: Places.optional(),
      clone: Places.optional(),
      link: Places.optional(),
      setup: Commands.optional(),
      again: z.array(Path).max(MOST_ENTRIES).optional(),
      teardown: Commands.optional(),
      ports: z.array(Variable).max(MOST_ENTRIES).optional(),
      env: Environment.optional(),
    })
    .optional(),
  agents: AgentSettings.optional(),
  sandbox: SandboxSetting.optional(),
  wrap: z.array(Text).max(MOST_ENTRIES).optional(),
  gates: z.strictObject({ auto: AutoGates.optional() }).optional(),
});
export type RepositorySettings = z.infer<typeof RepositorySettings>;
