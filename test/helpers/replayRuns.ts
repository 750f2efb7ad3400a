import { replay } from '../../daemon/core/replay.ts';
import type { Run } from '../../daemon/core/run/state.ts';
import { createCommitter } from '../../daemon/db/committer.ts';
import type { Database } from '../../daemon/db/database.ts';
import { createRunLog } from '../../daemon/store/runLog.ts';
import type { RunEvent } from '../../schemas/events/index.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { derivedId } from '../../schemas/ids.ts';
import { readHistory } from './givenHistory.ts';

/** What a replayed run has of its own. */
export interface Replayed {
  runId: string;
  repoPath: string;
  workspaceRoot: string;
  baseCommit: string;
  /** The commit of all its phases. */
  head: string;
  requirementsMd: string;
  title?: string;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const SHA256 = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

/**
 * Commits runs that ended as a recorded one did, each in one transition. The database has the published templates and personas.
 * Each run has ids, keys, places and words of its own, and a mark that its report is written.
 */
export async function replayRuns(
  { pool, connection }: Pick<Database, 'pool' | 'connection'>,
  wanted: readonly Replayed[],
): Promise<Run[]> {
  const history = readHistory('happy');
  const stored = await storedIds(pool, history);
  const committer = createCommitter(connection, { epoch: null });
  const { append } = createRunLog(pool, committer);
  try {
    return await Promise.all(
      wanted.map(async (own) => {
        const events = ownEvents(history, own, stored);
        const run = replay(events) as Run;
        await append(undefined, run, events);
        return run;
      }),
    );
  } finally {
    await committer.close();
    await pool.query(`UPDATE runs SET final_report_path = worktree_root || '/../report.md'`);
  }
}

/** By the id in the recording, that of the same template or persona in the database. */
async function storedIds(pool: Database['pool'], events: readonly RunEvent[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const find = async (table: string, id: string, ...values: unknown[]) => {
    const { rows } = await pool.query(`SELECT id FROM ${table} WHERE name = $1 AND version = $2`, values);
    if (!rows[0]) throw new Error(`${table} has no ${values.join('@')}`);
    ids.set(id, rows[0].id);
  };
  for (const { type, payload } of events) {
    if (type === 'run.created') {
      await find('workflow_templates', payload.templateId, payload.template.name, payload.template.version);
    }
    if (type !== 'run.started') continue;
    for (const { personaId, personaName, personaVersion } of payload.bindings) {
      await find('agent_personas', personaId, personaName, personaVersion);
    }
  }
  return ids;
}

function ownEvents(
  history: readonly RunEvent[],
  { runId, repoPath, workspaceRoot, baseCommit, head, requirementsMd, title }: Replayed,
  stored: ReadonlyMap<string, string>,
): RunEvent[] {
  const [created] = history;
  if (created?.type !== 'run.created') throw new TypeError('a history begins with run.created');
  const { repoPath: oldRepo, baseCommit: oldBase, worktreeRoot, templateHash } = created.payload;
  const text = JSON.stringify(history)
    .replaceAll(JSON.stringify(oldRepo), JSON.stringify(repoPath))
    .replaceAll(JSON.stringify(oldBase), JSON.stringify(baseCommit))
    .replaceAll(`"devflow/${created.runId}"`, `"devflow/${created.runId}/main"`)
    .replaceAll(/"commit":"[^"]+"/g, `"commit":"${head}"`)
    .replaceAll(worktreeRoot.slice(0, worktreeRoot.indexOf(`/${created.runId}`)), workspaceRoot)
    .replaceAll(UUID, (id) => (id === created.runId ? runId : (stored.get(id) ?? derivedId(runId, id))))
    .replaceAll(SHA256, (digest) => (digest === templateHash ? digest : sha256hex(`${runId} ${digest}`)));
  const [first, ...others] = JSON.parse(text) as [typeof created, ...RunEvent[]];
  const words = { requirementsMd, ...(title === undefined ? {} : { title }) };
  return [{ ...first, payload: { ...first.payload, ...words, workspaceRoot } }, ...others];
}
