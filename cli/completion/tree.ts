import type { Command } from 'commander';

/** What may stand in a place: words, names of files or directories, ids a daemon knows, or nothing to offer. */
export type Offer =
  | { type: 'words'; words: readonly string[] }
  | { type: 'files' | 'directories' | 'nothing' }
  | { type: 'dynamic'; kind: string };

export interface OptionNode {
  flag: string;
  summary: string;
  /** Absent: the option takes no value. */
  value?: Offer;
}

export interface CommandNode {
  /** `''` for devflow itself, `/run/start` for `devflow run start`. */
  path: string;
  children: { name: string; summary: string }[];
  options: OptionNode[];
  /** What the positions offer; one that is variadic is the last. */
  args: Offer[];
}

/** The commander program as plain data, from which the scripts of all shells are written. */
export function commandTree(program: Command): CommandNode[] {
  return visit(program, '');
}

function visit(command: Command, path: string): CommandNode[] {
  const children = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');
  const node: CommandNode = {
    path,
    children: children.map((child) => ({ name: child.name(), summary: child.description() })),
    options: command
      .createHelp()
      .visibleOptions(command)
      .flatMap(({ long, flags, description, argChoices }) => {
        if (!long) return [];
        const value = /<([^>]+)>/.exec(flags)?.[1];
        return [{ flag: long, summary: description, ...(value && { value: offerFor(value, argChoices) }) }];
      }),
    args: command.registeredArguments.map((argument) => offerFor(argument.name(), argument.argChoices)),
  };
  return [node, ...children.flatMap((child) => visit(child, `${path}/${child.name()}`))];
}

const DYNAMIC = new Set(['run', 'approval', 'session', 'template', 'persona', 'method']);

/** The placeholder's name says what belongs there. */
function offerFor(placeholder: string, choices?: readonly string[]): Offer {
  if (choices) return { type: 'words', words: choices };
  if (placeholder === 'file') return { type: 'files' };
  if (placeholder === 'dir') return { type: 'directories' };
  return DYNAMIC.has(placeholder) ? { type: 'dynamic', kind: placeholder } : { type: 'nothing' };
}
