import { type TreeSnapshot, textOf, type Wanted } from '../report/tree.ts';
import type { FlowName } from './pointer.ts';
import { isPresent } from './scan.ts';
import { SOURCE_DIRECTORY } from './sourceFiles.ts';

/** Why a flow was chosen. `given` is a person's choice, `pointer` that of the pointer. */
export type FlowRule =
  | 'repo-config'
  | 'submodules'
  | 'workspace'
  | 'problem-statement'
  | 'source-code'
  | 'nothing-yet'
  | 'given'
  | 'pointer';

/** The content of a repository, as far as a flow depends on it. */
export interface Workspace {
  tree: TreeSnapshot;
  /** A file with source code; null if there is none. */
  source: string | null;
}

export interface ChosenFlow {
  flow: FlowName;
  flowRule: FlowRule;
}

/** The flow of a repository, by the first rule that holds. */
export function resolveFlow({ tree, source }: Workspace): ChosenFlow {
  if (isPresent(tree, REPO_CONFIG)) return { flow: 'meta-repo', flowRule: 'repo-config' };
  if (countSubmodules(tree) >= 2) return { flow: 'meta-repo', flowRule: 'submodules' };
  const hasSourceDirectory = tree.entries.get(SOURCE_DIRECTORY)?.kind === 'dir';
  if (isWorkspace(tree) && !hasSourceDirectory) return { flow: 'meta-repo', flowRule: 'workspace' };
  if (isPresent(tree, PROBLEM) && (isPresent(tree, SOLUTION) || source === null)) {
    return { flow: 'greenfield', flowRule: 'problem-statement' };
  }
  if (source !== null) return { flow: 'existing-code', flowRule: 'source-code' };
  return { flow: 'greenfield', flowRule: 'nothing-yet' };
}

export const REPO_CONFIG = '_docs/_repo-config.yaml';
const PROBLEM = '_docs/00_problem/problem.md';
const SOLUTION = '_docs/01_solution/solution.md';
const SUBMODULES = '.gitmodules';
const WORKSPACES = { npm: 'package.json', pnpm: 'pnpm-workspace.yaml', go: 'go.work', cargo: 'Cargo.toml' };

/** The part of the tree that `resolveFlow` reads. */
export const WANTED_BY_FLOW: readonly Wanted[] = [
  ...[REPO_CONFIG, SUBMODULES, WORKSPACES.npm, WORKSPACES.cargo].map((path) => ({ path })),
  ...[PROBLEM, SOLUTION, WORKSPACES.pnpm, WORKSPACES.go, SOURCE_DIRECTORY].map((path) => ({ path, text: () => false })),
];

function countSubmodules(tree: TreeSnapshot): number {
  const paths = linesOf(tree, SUBMODULES).flatMap((line) => /^path\s*=\s*(\S.*)$/.exec(line)?.[1] ?? []);
  return new Set(paths).size;
}

function isWorkspace(tree: TreeSnapshot): boolean {
  if (isPresent(tree, WORKSPACES.pnpm) || isPresent(tree, WORKSPACES.go) || hasNpmWorkspaces(tree)) return true;
  return linesOf(tree, WORKSPACES.cargo).some(
    (line) => line.startsWith('[workspace]') || line.startsWith('[workspace.'),
  );
}

function hasNpmWorkspaces(tree: TreeSnapshot): boolean {
  const file = textOf(tree, WORKSPACES.npm);
  if (!file.ok) return false;
  try {
    const { workspaces } = JSON.parse(file.text) as { workspaces?: unknown };
    return typeof workspaces === 'object' && workspaces !== null && Object.keys(workspaces).length > 0;
  } catch {
    return false;
  }
}

function linesOf(tree: TreeSnapshot, path: string): string[] {
  const file = textOf(tree, path);
  return file.ok ? file.text.split('\n').map((line) => line.trim()) : [];
}
