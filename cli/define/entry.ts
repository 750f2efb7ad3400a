import { resolve } from 'node:path';
import type { MethodName, RpcParams } from '../../schemas/rpc/methods/index.ts';
import { parsePairs, wholeNumber } from '../input/parse.ts';
import type { Io } from '../io/io.ts';

/** An option or an argument of a command, and what it gives. Its key is its name: `dryRun` is `--dry-run`, `runId` is `--run`. */
export interface Entry<T = unknown> extends Further {
  /** The value after the name of an option (`<dir>`); empty for a switch. The whole form of an argument (`[lane]`). */
  readonly takes: string;
  readonly about: string;
  readonly isArgument?: true;
  /** No parameter of the method. */
  readonly isOwn?: true;
  /** The option is given more than once. */
  readonly isRepeated?: true;
  readonly isRequired?: true;
  /** Without the option it is true, with `--no-…` false. */
  readonly isNegated?: true;
  readonly default?: string;
  /** The value. Called when the whole command line is right. `name` is for messages: `--limit`, `<number>`. */
  read(given: never, name: string, io: Io): T;
}

interface Further {
  readonly short?: string;
  /** The name of the option, if it is not the key. */
  readonly long?: string;
  /** Other values are refused. */
  readonly choices?: readonly string[];
  /** The values that shells and help offer; `read` may take others. */
  readonly offers?: readonly string[];
  /** Options that cannot be given with this one. */
  readonly conflicts?: string[];
}

export type Own<T> = Entry<T> & { readonly isOwn: true };
export type Entries = Readonly<Record<string, Entry>>;

/** An entry is a parameter of the method, by name and type, or its own. The action fills the parameters that have no entry. */
export type Fits<M extends MethodName, E> = {
  [K in keyof E]: E[K] extends { isOwn: true }
    ? unknown
    : K extends keyof RpcParams<M>
      ? Entry<RpcParams<M>[K]>
      : `${M} has no parameter ${K & string}`;
};

const asGiven = (given: never) => given;

export function flag(about: string, further: Further = {}): Entry<boolean | undefined> {
  return { takes: '', about, ...further, read: asGiven };
}

/** `--no-pager` for the key `pager`. */
export function negated(about: string): Entry<boolean> {
  return { takes: '', about, isNegated: true, read: asGiven };
}

export function text(takes: string, about: string, further: Further = {}): Entry<string | undefined> {
  return { takes, about, ...further, read: asGiven };
}

export function repeated(takes: string, about: string, further: Further = {}): Entry<string[] | undefined> {
  return { takes, about, ...further, isRepeated: true, read: asGiven };
}

/** An entry that takes one of these words. */
export function oneOf<S, const C extends string>(entry: Entry<S>, choices: readonly C[]) {
  return { ...entry, choices } as Entry<C | Extract<S, undefined>>;
}

export function number(takes: string, about: string, further: Further = {}): Entry<number | undefined> {
  return parsed(text(takes, about, further), wholeNumber);
}

/** A directory as an absolute path, because the daemon has another one. Without the option, the current one. */
export function directory(about: string): Entry<string> {
  return { takes: '<dir>', about, read: (given: string | undefined, _, { cwd }) => resolve(cwd, given ?? '.') };
}

/** `role=value`, repeatable. */
export function pairs(takes: string, about: string): Entry<Record<string, string>> {
  return { ...repeated(takes, about), read: (given: string[] | undefined, name) => parsePairs(name, given) };
}

type Word<S> = S extends `[${string}...]` | `<${string}...>`
  ? string[]
  : S extends `[${string}`
    ? string | undefined
    : string;

/** A positional argument. */
export function argument<const S extends string>(takes: S, about = ''): Entry<Word<S>> {
  return { takes, about, isArgument: true, read: asGiven };
}

export function own<T>(entry: Entry<T>): Own<T> {
  return { ...entry, isOwn: true };
}

export function required<T>(entry: Entry<T>): Entry<Exclude<T, undefined>> {
  return { ...entry, isRequired: true } as Entry<Exclude<T, undefined>>;
}

export function byDefault<T extends string>(entry: Entry<T | undefined>, value: T): Entry<T> {
  return { ...entry, default: value } as Entry<T>;
}

/** Makes something of a value that is given. */
export function parsed<S, T>(entry: Entry<S>, parse: (name: string, given: Exclude<S, undefined>, io: Io) => T) {
  const read = (given: Exclude<S, undefined> | undefined, name: string, io: Io) =>
    given === undefined ? undefined : parse(name, given, io);
  return { ...entry, read } as Entry<T | Extract<S, undefined>>;
}

export const JSON_FLAG = own(flag('print JSON'));
export const YES = own(flag('do not ask for confirmation', { short: 'y' }));

/** `--dot` and `--mermaid` of a command that shows a graph. */
export const GRAPH = {
  dot: own(flag('print the graph for Graphviz')),
  mermaid: own(flag('print the graph for Mermaid, which GitHub shows')),
};
