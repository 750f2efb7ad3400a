/** The paths of one run below `WORKSPACE_ROOT`. Pure, and without `node:` modules. */

import { MAIN } from '../mainLane.ts';

/** Like `path.posix.join`, for a root and parts without `..`. */
function join(root: string, ...parts: string[]): string {
  const names = parts.flatMap((part) => part.split('/')).filter((name) => name !== '' && name !== '.');
  return [root.replace(/\/+$/, ''), ...names].join('/');
}

/** Everything of a run: its worktrees, stored artifacts, outputs and reports. */
export function runDir(workspaceRoot: string, runId: string): string {
  return join(workspaceRoot, runId);
}

/** The git worktree of a lane. */
export function worktreePath(workspaceRoot: string, runId: string, lane = MAIN): string {
  return join(runDir(workspaceRoot, runId), lane);
}

/** The worktree of a lane that a phase opened. It shares no directory with artifacts, commands and sessions. */
export function lanePath(workspaceRoot: string, runId: string, laneId: string): string {
  return join(runDir(workspaceRoot, runId), 'lanes', laneId);
}

/** The run's directory that has this worktree, of `main` or of a lane. */
export function runDirWith(worktree: string): string {
  const parts = worktree.split('/');
  return parts.slice(0, parts.at(-2) === 'lanes' ? -2 : -1).join('/');
}

/** devflow's own worktree, where it checks merges. It never holds anybody's work. */
export function integrationPath(workspaceRoot: string, runId: string): string {
  return join(runDir(workspaceRoot, runId), 'integration');
}

/** Where devflow measures the work: a worktree of its own, and the home of the command that measures. Nobody's work is there. */
export function evaluationPlace(workspaceRoot: string, runId: string): { worktree: string; home: string } {
  const dir = join(runDir(workspaceRoot, runId), 'evaluation');
  return { worktree: join(dir, 'worktree'), home: join(dir, 'home') };
}

/** The inverse of `worktreePath`, for runs whose events lack the workspace root. */
export function workspaceRootOf(worktree: string): string {
  return worktree.split('/').slice(0, -2).join('/');
}

/** One artifact: what a phase's attempt writes, by role where several roles write. */
export interface ArtifactPlace {
  phaseKey: string;
  attempt: number;
  /** Relative path from the template, without `..` (the template schema refuses it). */
  relPath: string;
  roleId?: string;
}

/** Where an agent writes: inside its worktree, because its sandbox allows nothing else. */
export function artifactPathInWorktree(
  worktree: string,
  phaseKey: string,
  attempt: number,
  relPath: string,
  roleId?: string,
): string {
  return join(worktree, '.devflow', 'artifacts', ...parts({ phaseKey, attempt, relPath, roleId }));
}

/** Where devflow keeps a read-only copy of a validated artifact. */
export function storedArtifactPath(
  workspaceRoot: string,
  runId: string,
  phaseKey: string,
  attempt: number,
  relPath: string,
  roleId?: string,
): string {
  return join(runDir(workspaceRoot, runId), 'artifacts', ...parts({ phaseKey, attempt, relPath, roleId }));
}

/** The read-only copy of an earlier phase's artifact. devflow rewrites it before each prompt that names it. */
export function inputPathInWorktree(worktree: string, phaseKey: string, relPath: string, roleId?: string): string {
  const role = roleId === undefined ? [] : [fileSafe(roleId)];
  return join(worktree, '.devflow', 'artifacts', 'inputs', phaseKey, ...role, relPath);
}

/** The diff of a change under review, beside the copies of artifacts. `fix`: what the last fix changed. */
export function diffPathInWorktree(worktree: string, phaseKey: string, what: 'change' | 'fix'): string {
  return inputPathInWorktree(worktree, phaseKey, `${what}.diff`);
}

/** The files of a change under review as they were before, where it removed lines of them. */
export function beforeDirInWorktree(worktree: string, phaseKey: string, what: 'change' | 'fix'): string {
  return inputPathInWorktree(worktree, phaseKey, `${what}-before`);
}

function parts({ phaseKey, attempt, relPath, roleId }: ArtifactPlace): string[] {
  return [phaseKey, String(attempt), ...(roleId === undefined ? [] : [fileSafe(roleId)]), relPath];
}

/** Output of the commands that devflow ran. */
export function commandOutputDir(workspaceRoot: string, runId: string): string {
  return join(runDir(workspaceRoot, runId), 'commands');
}

/** The files of the base commit that hooks and MCP servers of the repository run. */
export function rightsDir(workspaceRoot: string, runId: string): string {
  return join(runDir(workspaceRoot, runId), 'rights');
}

/** The files of one attempt of a step of devflow. */
export function stepDir(workspaceRoot: string, runId: string, phaseKey: string, attempt: number): string {
  return join(runDir(workspaceRoot, runId), 'steps', phaseKey, String(attempt));
}

/** The files of one phase attempt's measurements. */
export function metricsDirs(workspaceRoot: string, runId: string, phaseKey: string, attempt: number): string {
  return join(runDir(workspaceRoot, runId), 'metrics', phaseKey, String(attempt));
}

/**
 * The files of one measurement. From behaviour 6 on, `$DEVFLOW_METRICS` of its command is a directory below it. Only
 * the command gets the name of that directory.
 */
export function metricsDir(
  workspaceRoot: string,
  runId: string,
  phaseKey: string,
  attempt: number,
  index: number,
): string {
  return join(metricsDirs(workspaceRoot, runId, phaseKey, attempt), String(index));
}

/** Transcripts, exit files and other traces of the run's agent sessions. */
export function sessionDir(workspaceRoot: string, runId: string): string {
  return join(runDir(workspaceRoot, runId), 'sessions');
}

/** Where the fake agents of a run find examples of its own schemas. */
export function examplesDir(runDirectory: string): string {
  return join(runDirectory, 'examples');
}

/** The final report for people and for programs. */
export function reportPaths(workspaceRoot: string, runId: string): { md: string; json: string } {
  const base = join(runDir(workspaceRoot, runId), `${runId}.report`);
  return { md: `${base}.md`, json: `${base}.json` };
}

/**
 * A role id as one part of a path: `reviewer#0` becomes `reviewer.0`. Role ids have no dot, so two ids never get the same
 * name. Any other special character becomes `_`, so that no id leaves its directory.
 */
export function fileSafe(roleId: string): string {
  return roleId.replaceAll(/[^A-Za-z0-9_#-]/g, '_').replaceAll('#', '.');
}
