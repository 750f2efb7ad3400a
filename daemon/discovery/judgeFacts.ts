import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from '../policy/call/call.ts';
import type { checkPolicy } from '../policy/policy.ts';
import { readScript } from '../policy/shell/shell.ts';
import { behindIn } from './bodies/behind.ts';
import { bodiesOf } from './bodies/bodiesOf.ts';
import { type Judged, judgeBodies } from './bodies/judge.ts';
import type { Bodies, CommitTexts } from './bodies/walk.ts';
import { cannotFail } from './cannotFail/cannotFail.ts';
import type { CommitFiles } from './commitFiles.ts';
import { memoize } from './memoize.ts';
import type { RankedFact } from './rankFacts.ts';

/** A script may call a script that was not read yet, and so on. */
const MOST_ROUNDS = 6;

/** The texts that run with each command, by the id of its fact. Reads more files of the commit as they are called. */
export async function judgeFacts(
  facts: readonly RankedFact[],
  { paths, texts, readMore }: Pick<CommitFiles, 'paths' | 'texts' | 'readMore'>,
  policy: typeof checkPolicy,
): Promise<ReadonlyMap<string, Judged>> {
  const read = new Map<string, string | null>(texts);
  const commit: CommitTexts = {
    paths,
    read: (path) => read.get(path),
    commandsOf: memoize((script: string): readonly Command[] => readScript(script).commands, String),
  };
  const answers: typeof policy = memoize(policy, (argv) => argv.join('\0'));
  const found = new Map<string, Bodies>();
  const needsOf = (id: string) => found.get(id)?.needs ?? [];
  /** More files cannot change what was found without them. */
  let open = facts;
  for (let round = 0; ; round += 1) {
    for (const fact of open) {
      // Otherwise a large repository would block the daemon.
      await nextTurn();
      found.set(fact.id, bodiesOf(fact, commit));
    }
    open = open.filter(({ id }) => needsOf(id).length > 0);
    if (open.length === 0) return judgeAll(facts, found, answers, commit);
    const needs = new Set(open.flatMap(({ id }) => needsOf(id)));
    const more = round < MOST_ROUNDS ? await readMore([...needs]) : new Map<string, string>();
    for (const path of needs) read.set(path, more.get(path) ?? null);
  }
}

async function judgeAll(
  facts: readonly RankedFact[],
  found: ReadonlyMap<string, Bodies>,
  policy: typeof checkPolicy,
  commit: CommitTexts,
) {
  const judged = new Map<string, Judged>();
  const findBehind = behindIn(commit);
  for (const { id, argv, cwd } of facts) {
    const bodies = found.get(id);
    if (!bodies) continue;
    await nextTurn();
    judged.set(id, {
      ...judgeBodies(bodies, policy, commit.paths),
      cannotFail: cannotFail(argv, findBehind, cwd),
    });
  }
  return judged;
}
