import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from '../policy/call/call.ts';
import type { checkPolicy, PolicyResult } from '../policy/policy.ts';
import { readScript } from '../policy/shell/shell.ts';
import { bodiesOf } from './bodies/bodiesOf.ts';
import { type Judged, judgeBodies } from './bodies/judge.ts';
import type { Bodies, CommitTexts } from './bodies/walk.ts';
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
  const scripts = new Map<string, readonly Command[]>();
  const commit: CommitTexts = {
    paths,
    read: (path) => read.get(path),
    commandsOf(script) {
      const known = scripts.get(script) ?? readScript(script).commands;
      scripts.set(script, known);
      return known;
    },
  };
  const answers = new Map<string, PolicyResult>();
  const remembered: typeof policy = (argv) => {
    const key = argv.join('\0');
    const known = answers.get(key) ?? policy(argv);
    answers.set(key, known);
    return known;
  };
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
    if (open.length === 0) return judgeAll(found, remembered, paths);
    const needs = new Set(open.flatMap(({ id }) => needsOf(id)));
    const more = round < MOST_ROUNDS ? await readMore([...needs]) : new Map<string, string>();
    for (const path of needs) read.set(path, more.get(path) ?? null);
  }
}

async function judgeAll(found: ReadonlyMap<string, Bodies>, policy: typeof checkPolicy, paths: ReadonlySet<string>) {
  const judged = new Map<string, Judged>();
  for (const [id, each] of found) {
    await nextTurn();
    judged.set(id, judgeBodies(each, policy, paths));
  }
  return judged;
}
