import type { ContractPart, Detected, Mode, Report } from '../report/report.ts';
import { childrenOf, type TreeSnapshot, textOf } from '../report/tree.ts';
import { checkHandovers } from './checkProject.ts';
import { contractOf, HANDOVER, HANDOVER_KINDS, OLDER_PLACES, type OlderPlace, pathIn } from './document/contract.ts';
import { checkResearch } from './document/research.ts';
import { checkPlan } from './plan/plan.ts';
import { checkProgress } from './progress/progress.ts';
import { isOlder, isProject, WANTED } from './projectFiles.ts';
import { briefPathIn, type SessionFacts } from './session/sessionState.ts';

/** The documents of a project are checked together. Documents at older places stand for themselves. */
export const handoverPart: ContractPart = {
  wanted: WANTED,
  detect: (tree) => [...projectsIn(tree), ...olderIn(tree)],
  check(tree, path, mode) {
    const older = OLDER_PLACES.find((place) => isOlder(path, place));
    if (older) return [checkOlder(tree, path, older, mode)];
    const checked = checkHandovers(tree, path, mode ?? 'soft', factsIn(tree, path));
    return HANDOVER_KINDS.filter((kind) => {
      const { isPresent, report } = checked[kind];
      return isPresent || !report.valid || report.warnings.length > 0;
    }).map((kind) => checked[kind].report);
  },
};

function projectsIn(tree: TreeSnapshot): Detected[] {
  return childrenOf(tree, HANDOVER.projects)
    .filter(({ kind, path }) => kind === 'dir' && isProject(path, (each) => tree.entries.has(each)))
    .map(({ path }) => ({ contract: 'handover', path }));
}

function olderIn(tree: TreeSnapshot): Detected[] {
  return OLDER_PLACES.flatMap((place) =>
    childrenOf(tree, place.directory)
      .filter(({ path }) => isOlder(path, place))
      .map(({ path }) => ({ contract: contractOf(place.kind), path })),
  );
}

function checkOlder(tree: TreeSnapshot, path: string, { kind }: OlderPlace, mode: Mode = 'soft'): Report {
  const file = textOf(tree, path);
  if (kind === 'plan') return checkPlan(file, path);
  return kind === 'progress' ? checkProgress(file, path) : checkResearch(file, path, mode);
}

/** True if the brief of the next session is there, if the tree can tell. */
function factsIn(tree: TreeSnapshot, project: string): SessionFacts {
  const state = textOf(tree, pathIn(project, 'session-state'));
  const brief = state.ok ? briefPathIn(state.text) : undefined;
  if (brief === undefined) return {};
  if (tree.entries.has(brief)) return { briefExists: true };
  return brief.startsWith(`${project}/`) && !brief.slice(project.length + 1).includes('/')
    ? { briefExists: false }
    : {};
}
