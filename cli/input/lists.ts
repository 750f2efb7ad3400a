import { LIST_LIMIT } from '../../schemas/names.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { State } from '../../schemas/states/state.ts';
import { visible } from '../../schemas/text/visible.ts';
import type { Client } from '../client/connect.ts';
import type { Io } from '../io/io.ts';
import { usage } from './parse.ts';

/** `--limit`; `--all` means no limit unless one is given. */
export function limitOf(limit: number | undefined, all: boolean | undefined): number {
  return limit ?? (all ? 0 : LIST_LIMIT);
}

/** Prints on standard error that a list was cut. Standard output stays a JSON array. */
export async function printCutNote(
  io: Io,
  client: Client,
  { shown, limit, ...filter }: RpcParams<'list.count'> & { shown: number; limit: number },
): Promise<void> {
  if (limit === 0 || shown < limit) return;
  const { total } = await client.call('list.count', filter);
  if (total > shown) io.err(`Showing ${shown} of ${total} ${filter.of}, the newest. --limit 0 shows all.\n`);
}

/** What a filter says when nothing fits it; undefined without one. */
export function emptyWords<S extends string>(
  of: string,
  { state, repo, search, runId }: { state?: S; repo?: string; search?: string; runId?: string },
  states: Readonly<Record<S, State>>,
): string | undefined {
  const asked = [
    ...(state === undefined ? [] : [`has the state ${states[state].word}`]),
    ...(repo === undefined ? [] : [`belongs to the repository of ${visible(repo)}`]),
    ...(search === undefined ? [] : [`has "${visible(search)}" in the title or requirements of its run`]),
    ...(runId === undefined ? [] : [`belongs to run ${visible(runId)}`]),
  ];
  return asked.length === 0 ? undefined : `No ${of} ${asked.join(', and ')}.`;
}

/** The value of `--state`, given as the word in lists or as the value in `--json`. */
export function stateOption<S extends string>(states: Readonly<Record<S, State>>, given: string): S {
  const wanted = given.trim().toLowerCase();
  const values = Object.keys(states) as S[];
  const found = values.find((value) => value.toLowerCase() === wanted || states[value].word === wanted);
  if (found === undefined) throw usage(`--state ${given} is unknown`, `Give one of: ${pairsOf(states).join(', ')}.`);
  return found;
}

/** Each state as lists show it, and in parentheses as `--json` has it where that differs. */
function pairsOf<S extends string>(states: Readonly<Record<S, State>>): string[] {
  return Object.entries<State>(states).map(([value, { word }]) => (isSame(value, word) ? word : `${word} (${value})`));
}

/** The texts to type for the states: the word of each and its value in `--json`. A word with a space would need quotes. */
export function stateWords<S extends string>(states: Readonly<Record<S, State>>): string[] {
  return Object.entries<State>(states).flatMap(([value, { word }]) => {
    if (word.includes(' ')) return [value];
    return isSame(value, word) ? [word] : [word, value];
  });
}

function isSame(value: string, word: string): boolean {
  return value.toLowerCase() === word;
}
