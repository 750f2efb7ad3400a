import { Argument, type Command, Option } from 'commander';
import type { Defined } from '../../schemas/defined.ts';
import type { MethodName } from '../../schemas/rpc/methods/index.ts';
import type { Io } from '../io/io.ts';
import { type Entries, type Entry, type Fits, JSON_FLAG, own } from './entry.ts';

/** A command as data. Its action is a file in `cli/commands`. */
export interface Declared<E extends Entries = Entries> extends More {
  readonly summary: string;
  readonly entries: E;
}

interface More {
  /** Printed below the help. */
  readonly help?: string;
  readonly alias?: string;
  /** Words after the first argument are no options of devflow. */
  readonly passesThrough?: true;
  /** The command of its group that runs without its name. */
  readonly isDefault?: true;
}

/** A command that calls a method. It has `--json`. */
export function command<M extends MethodName, const E extends Entries = Record<never, never>>(
  _method: M,
  summary: string,
  entries: E & Fits<M, E> = {} as E & Fits<M, E>,
  more: More = {},
): Declared<{ json: typeof JSON_FLAG } & E> {
  return { summary, entries: { json: JSON_FLAG, ...(entries as E) }, ...more };
}

type AllOwn<E> = { [K in keyof E]: E[K] & { isOwn: true } };

/** A command without a method: all its entries are its own. */
export function plainCommand<const E extends Entries = Record<never, never>>(
  summary: string,
  entries: E = {} as E,
  more: More = {},
): Declared<AllOwn<E>> {
  const all = Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, own(entry)]));
  return { summary, entries: all as AllOwn<E>, ...more };
}

type Given<E> = E extends Entry<infer T> ? T : never;
type OwnKeys<E> = { [K in keyof E]: E[K] extends { isOwn: true } ? K : never }[keyof E];

/** The parameters that a command line gives. */
export type ParamsOf<D extends Declared> = Defined<{
  [K in Exclude<keyof D['entries'], OwnKeys<D['entries']>>]: Given<D['entries'][K]>;
}>;
/** The entries that are no parameters. */
export type OwnOf<D extends Declared> = Defined<{ [K in OwnKeys<D['entries']>]: Given<D['entries'][K]> }>;

/** `name` is the command's name, for files that serve several commands. Returns the exit code; undefined means 0. */
export type Action<D extends Declared> = (
  params: ParamsOf<D>,
  own: OwnOf<D>,
  io: Io,
  name: string,
) => Promise<number | undefined>;
export type Actions<T extends Readonly<Record<string, Declared>>> = { [K in keyof T]: Action<T[K]> };

/** The program, as far as the definitions need it. */
export interface Cli {
  io: Io;
  /** Called with the exit code when an action has ended. */
  exit(code: number): void;
  /** The first word of the command that will run, if known. Others stay empty, which saves milliseconds. */
  only?: string;
}

/** Adds a command. `load` imports its file, which the build keeps apart: only that of the command that runs is read. */
export function addCommand<D extends Declared>(
  parent: Command,
  cli: Cli,
  name: string,
  declared: D,
  load: () => Promise<{ action: Action<D> }>,
): void {
  const { summary, entries, help, alias, passesThrough, isDefault = false } = declared;
  const command = parent.command(name, { isDefault }).description(summary);
  if (cli.only !== undefined && cli.only !== name && cli.only !== parent.name()) return;
  for (const [key, entry] of Object.entries(entries)) {
    if (entry.isArgument) command.addArgument(argumentOf(entry));
    else command.addOption(optionOf(key, entry));
  }
  if (alias !== undefined) command.alias(alias);
  if (passesThrough) command.passThroughOptions();
  if (help !== undefined) command.addHelpText('after', help);
  command.action(async () => {
    const { params, own } = readGiven(command, declared.entries, cli.io);
    const { action } = await load();
    cli.exit((await action(params as ParamsOf<D>, own as OwnOf<D>, cli.io, name)) ?? 0);
  });
}

type Group = Readonly<Record<string, Declared>>;
type Load<T extends Group, K extends keyof T> = () => Promise<
  { action: Action<T[K]> } | { actions: Pick<Actions<T>, K> }
>;

/** Adds a command that only groups others. One file has all their actions, or each has a file. */
export function addGroup<T extends Group>(
  program: Command,
  cli: Cli,
  [name, summary]: readonly [string, string],
  commands: T,
  loads: (() => Promise<{ actions: Actions<T> }>) | { [K in keyof T]: Load<T, K> },
): void {
  const group = program.command(name).description(summary);
  if (cli.only !== undefined && cli.only !== name) return;
  for (const key in commands) {
    const load: Load<T, typeof key> = typeof loads === 'function' ? loads : loads[key];
    addCommand<T[typeof key]>(group, cli, key, commands[key], async () => {
      const loaded = await load();
      return 'action' in loaded ? loaded : { action: loaded.actions[key] };
    });
  }
}

function argumentOf({ takes, about, choices }: Entry): Argument {
  const made = new Argument(takes, about);
  return choices ? made.choices(choices) : made;
}

function optionOf(key: string, entry: Entry): Option {
  const { takes, about, short, choices, offers, conflicts, isNegated } = entry;
  const long = `--${isNegated ? 'no-' : ''}${kebab(longOf(key, entry))}`;
  const option = new Option([short && `-${short}, `, long, takes && ` ${takes}`].filter(Boolean).join(''), about);
  if (choices) option.choices(choices);
  if (offers) option.choices(offers).argParser((value: string) => value);
  if (conflicts) option.conflicts(conflicts);
  if (entry.isRepeated) option.argParser((value: string, before: string[] = []) => [...before, value]);
  if (entry.default !== undefined) option.default(entry.default);
  return option.makeOptionMandatory(entry.isRequired === true);
}

function longOf(key: string, { long }: Entry): string {
  return long ?? key.replace(/Id$/, '');
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The values of all entries, in the order of the table. */
function readGiven(command: Command, entries: Entries, io: Io) {
  const given = { params: {} as Record<string, unknown>, own: {} as Record<string, unknown> };
  const [options, words] = [command.opts(), [...command.processedArgs]];
  for (const [key, entry] of Object.entries(entries)) {
    const long = longOf(key, entry);
    const value = entry.isArgument ? words.shift() : options[long];
    const name = entry.isArgument ? entry.takes : `--${kebab(long)}`;
    given[entry.isOwn ? 'own' : 'params'][key] = entry.read(value as never, name, io);
  }
  return given;
}
