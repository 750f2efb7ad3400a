import type { checkPolicy } from '../policy/policy.ts';
import { bodiesOf } from './bodies/bodiesOf.ts';
import { type Judged, judgeBodies } from './bodies/judge.ts';
import type { CommitFiles } from './commitFiles.ts';
import type { RankedFact } from './rankFacts.ts';

/** A script may call a script that was not read yet, and so on. */
const MOST_ROUNDS = 6;

/** What runs with each command, by the id of its fact. Reads more files of the commit as they are called. */
export async function judgeFacts(
  facts: readonly RankedFact[],
  { paths, texts, readMore }: Pick<CommitFiles, 'paths' | 'texts' | 'readMore'>,
  policy: typeof checkPolicy,
): Promise<ReadonlyMap<string, Judged>> {
  const read = new Map<string, string | null>(texts);
  const commit = { paths, read: (path: string) => read.get(path) };
  for (let round = 0; ; round += 1) {
    const found = facts.map((fact) => [fact.id, bodiesOf(fact, commit)] as const);
    const needs = new Set(found.flatMap(([, each]) => each.needs));
    if (needs.size === 0) return new Map(found.map(([id, each]) => [id, judgeBodies(each, policy, paths)]));
    const more = round < MOST_ROUNDS ? await readMore([...needs]) : new Map<string, string>();
    for (const path of needs) read.set(path, more.get(path) ?? null);
  }
}
