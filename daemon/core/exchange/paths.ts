import { POINTER_FILE } from '../../../schemas/contracts/autodev/pointer.ts';
import { CYCLES } from '../../../schemas/contracts/cycle/state/cyclePaths.ts';
import { contractOf, type HandoverKind, pathIn } from '../../../schemas/contracts/handover/document/contract.ts';
import type { Exchange } from '../../../schemas/definitions/exchange.ts';
import type { Run } from '../run/state.ts';

/** Longest part of a directory's name that comes from the requirements. */
const MOST_SLUG = 40;

type Named = Pick<Run, 'id' | 'createdAt' | 'requirementsMd'>;

/** The project directory of the exchange `handover`, relative to the worktree, with a slash at the end. */
function projectDirOf({ id, createdAt, requirementsMd }: Named): string {
  const day = createdAt.slice(0, 10);
  const [line = ''] = requirementsMd.trim().split('\n', 1);
  const words = (line.toLowerCase().match(/[a-z0-9]+/g) ?? []).join('-').slice(0, MOST_SLUG);
  const slug = words.replace(/-[^-]*$/, (rest) => (words.length === MOST_SLUG ? '' : rest));
  return `.claude/projects/${day}-${[slug, id.slice(0, 4)].filter((part) => part !== '').join('-')}/`;
}

const OWN_PATHS: Readonly<Record<Exchange, (run: Named) => string[]>> = {
  handover: (run) => [projectDirOf(run)],
  autodev: () => [POINTER_FILE],
  cycle: () => [`${CYCLES}/`],
};

/**
 * The paths of the exchange, relative to the worktree; directories end with a slash. devflow writes them at any time. So
 * gates do not bind them.
 */
export function exchangePaths(run: Named & Pick<Run, 'template'>): string[] {
  const { exchange } = run.template;
  return exchange ? OWN_PATHS[exchange](run) : [];
}

/** The handovers that agents write, and devflow publishes. Progress and session state follow from events. */
const PUBLISHED: readonly HandoverKind[] = ['brief', 'research', 'plan', 'review'];

/** Where an artifact of this schema is published, relative to the worktree; undefined if it is not. */
export function publishedPath(run: Run, schema: string): string | undefined {
  const kind = PUBLISHED.find((each) => contractOf(each) === schema);
  if (run.template.exchange !== 'handover' || !kind) return undefined;
  const path = pathIn(projectOf(run), kind);
  // Research is a directory: a run answers all questions in one file of it.
  return kind === 'research' ? `${path}/01-research.md` : path;
}

/** The project directory of a run with the exchange `handover`, without a slash at the end. */
export function projectOf({ exchangePaths: [directory = ''] }: Pick<Run, 'exchangePaths'>): string {
  return directory.slice(0, -1);
}
