import type { Command, Option } from 'commander';
import { SCREENS } from '../../schemas/names.ts';

/** The offer at a place: fixed words, files, ids that a daemon knows, or nothing. */
export type Offer =
  | { type: 'words'; words: readonly string[] }
  | { type: 'files' | 'directories' | 'nothing' }
  | { type: 'known'; kind: string }
  /** Files where nothing known fits. */
  | { type: 'knownOrFiles'; kind: string }
  | { type: 'pairs'; kind: 'backend' | 'persona' };

export interface OptionNode {
  flag: string;
  short?: string;
  summary: string;
  repeatable: boolean;
  /** Absent: the option takes no value. */
  value?: Offer;
}

export interface CommandNode {
  /** `''` for devflow itself, `/run/start` for `devflow run start`. */
  path: string;
  children: { name: string; summary: string }[];
  options: OptionNode[];
  /** The offers of the positional arguments. */
  args: Offer[];
  /** The last argument takes all words that follow. */
  variadic: boolean;
}

/** The commander program as plain data. */
export function commandTree(program: Command): CommandNode[] {
  return visit(program, '');
}

function visit(command: Command, path: string): CommandNode[] {
  const help = command.createHelp();
  const children = help.visibleCommands(command).filter((child) => child.name() !== 'help');
  const args = command.registeredArguments;
  const node: CommandNode = {
    path,
    children: children.map((child) => ({ name: child.name(), summary: child.description() })),
    options: help.visibleOptions(command).flatMap(optionNode),
    args: args.map((argument) => offerFor(argument.name(), argument.argChoices)),
    variadic: args.at(-1)?.variadic ?? false,
  };
  return [node, ...children.flatMap((child) => visit(child, `${path}/${child.name()}`))];
}

function optionNode({ long, short, flags, description, argChoices }: Option): OptionNode[] {
  if (!long) return [];
  const value = /[<[]([^>\]]+)[>\]]/.exec(flags)?.[1];
  return [
    {
      flag: long,
      short,
      summary: description,
      repeatable: /\brepeatable\b/.test(description),
      value: value === undefined ? undefined : offerFor(value, argChoices),
    },
  ];
}

const OFFERS: Record<string, Offer> = {
  file: { type: 'files' },
  dir: { type: 'directories' },
  argv: { type: 'files' },
  ref: { type: 'known', kind: 'branch' },
  screen: { type: 'words', words: SCREENS },
  'template-or-file': { type: 'knownOrFiles', kind: 'template' },
  'old-template': { type: 'knownOrFiles', kind: 'template' },
  'new-template': { type: 'knownOrFiles', kind: 'template' },
  'persona-or-file': { type: 'knownOrFiles', kind: 'persona' },
  'role=backend': { type: 'pairs', kind: 'backend' },
  'role=persona': { type: 'pairs', kind: 'persona' },
};

const KNOWN = new Set('run approval session schedule target id template persona method schema branch host'.split(' '));

/** The name of a placeholder selects the offer. */
function offerFor(placeholder: string, choices?: readonly string[]): Offer {
  if (choices) return { type: 'words', words: choices };
  return OFFERS[placeholder] ?? (KNOWN.has(placeholder) ? { type: 'known', kind: placeholder } : { type: 'nothing' });
}
