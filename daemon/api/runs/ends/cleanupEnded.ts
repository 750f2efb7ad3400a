import { DevflowError } from '../../../../schemas/errors.ts';
import type { ParsedParams, RpcResult } from '../../../../schemas/rpc/methods/index.ts';
import type { EndOfRun } from '../../../../schemas/rpc/views/ends.ts';
import { type Here, hostOf } from '../../../core/run/place.ts';
import type { RunEngine } from '../../../engine/runEngine.ts';
import { type OwnRefs, readOwnRefs } from '../../../repository/ends/ownBranches.ts';
import { type SizeLimit, treeSize } from '../../../repository/ends/treeSize.ts';
import { inTurn } from '../../../repository/git/inTurn.ts';
import { exists } from '../../../repository/git/repositoryFiles.ts';
import { removingPlace } from '../../../repository/worktree/halfMade.ts';
import type { EndedRow, ListEnded, ReadBases } from '../../../store/endedRuns.ts';
import { listFilterOf } from '../../lookup/listFilterOf.ts';
import { endOf, type Finding, type Looked, lookAtRun, worktree } from './lookAtRun.ts';
import { type RemoveParts, removeEnds } from './removeEnds.ts';

type Params = ParsedParams<'run.cleanupEnded'>;

export interface EndsParts extends RemoveParts {
  engine: Pick<RunEngine, 'readRun' | 'settled'>;
  listEnded: ListEnded;
  readBases: ReadBases;
  here: Here;
}

/** How long the plan counts bytes. */
const SIZES_MS = 2_000;

/**
 * Plans the removal of what ended runs left, or does it. Asks git each time, because people also merge by hand. After a kill the
 * same call goes on: nothing is written down.
 */
export function createCleanupEnded(parts: EndsParts): (params: Params) => Promise<RpcResult<'run.cleanupEnded'>> {
  const { listEnded } = parts;
  return (params) =>
    inTurn('cleanup of ended runs', async () => {
      const { olderThanMs, repo, dryRun, agreed } = params;
      const { repository } = await listFilterOf(repo === undefined ? {} : { repo });
      const headsOf = agreed && new Map(agreed.map(({ runId, heads }) => [runId, headMap(heads)]));
      const rows = await listEnded({
        ...(olderThanMs === undefined ? {} : { olderThanMs }),
        ...(repository === undefined ? {} : { repository }),
      });
      const look = createLook(parts, params);
      const limit = dryRun ? { signal: AbortSignal.timeout(SIZES_MS) } : undefined;
      const runs: EndOfRun[] = [];
      for (const row of rows) {
        const heads = headsOf?.get(row.runId);
        if (headsOf && !heads) continue;
        const { findings, keptRefs } = await look(row, heads);
        const shown = limit ? await withSizes(findings, limit) : findings;
        if (shown.length > 0) runs.push(endOf(row, { findings: shown, keptRefs }));
      }
      return { runs, done: !dryRun || runs.every(({ goes }) => goes.length === 0) };
    });
}

function headMap(heads: readonly { branch: string; head: string }[]): Map<string, string> {
  return new Map(heads.map(({ branch, head }) => [branch, head]));
}

/** Looks at one run and, unless it is a dry run, removes what may go. */
function createLook(parts: EndsParts, { applied, branches, dryRun, host: asked }: Params) {
  const { engine, here, readBases } = parts;
  const known = new Map<string, Promise<OwnRefs | undefined>>();

  return async (row: EndedRow, heads: ReadonlyMap<string, string> | undefined): Promise<Looked> => {
    const { runId, repoPath } = row;
    const host = hostOf(row, here);
    if (host !== here.id) return asked === undefined ? keptWhole(row, 'other_host', elsewhere(host, here)) : NOTHING;
    // Before something goes it is read anew, for each run.
    const reading = (dryRun && known.get(repoPath)) || readOwnRefs(repoPath);
    known.set(repoPath, reading);
    const refs = await reading.catch((error) => error as unknown);
    if (refs === undefined || refs instanceof Error) {
      if (!(await hasFiles(row))) return NOTHING;
      if (refs === undefined) return keptWhole(row, 'repository_gone', `the repository ${repoPath} is gone`);
      if (refs instanceof DevflowError) return keptWhole(row, 'failed', refs.message);
      throw refs;
    }
    if (!(await hasLeft(row, refs as OwnRefs))) return NOTHING;
    if (!dryRun) await engine.settled(runId);
    const run = await engine.readRun(runId);
    if (!run) return NOTHING;
    const bases = await readBases();
    const findings = await lookAtRun(run, refs as OwnRefs, { applied, branches, bases, ...(heads && { heads }) });
    return dryRun ? { findings, keptRefs: [] } : removeEnds(run, refs as OwnRefs, findings, parts);
  };
}

const NOTHING: Looked = { findings: [], keptRefs: [] };

/** Nobody here knows what is left there. */
function elsewhere(host: string, { shared }: Here): string {
  return `its files are on host ${host}${shared ? `: devflow cleanup --ended --host ${host}` : ''}`;
}

function keptWhole(
  { worktrees: [main = ''] }: EndedRow,
  why: 'other_host' | 'repository_gone' | 'failed',
  reason: string,
): Looked {
  return { findings: [{ laneId: null, item: worktree(main), stays: { why, reason } }], keptRefs: [] };
}

async function hasFiles({ worktrees }: EndedRow): Promise<boolean> {
  for (const path of worktrees) if ((await exists(path)) || (await exists(removingPlace(path)))) return true;
  return false;
}

/** Reading the log of a run takes longer than this. */
async function hasLeft(row: EndedRow, { branches, worktrees }: OwnRefs): Promise<boolean> {
  if (row.worktrees.some((path) => worktrees.has(path)) || (await hasFiles(row))) return true;
  return [...branches.keys()].some((name) => name.startsWith(`devflow/${row.runId}/`));
}

async function withSizes(findings: readonly Finding[], limit: SizeLimit): Promise<Finding[]> {
  const sized: Finding[] = [];
  for (const finding of findings) {
    const { path } = finding.item;
    const size = path === null || limit.signal.aborted ? undefined : await treeSize(path, limit);
    const bytes = size === undefined || size.atLeast ? null : size.bytes;
    sized.push({ ...finding, item: { ...finding.item, bytes } });
  }
  return sized;
}
