import { readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ARTIFACTS } from '../artifact/artifactDirectory.ts';
import { hasMoved, type KnownSubmodule, readKnown, submoduleLane } from '../git/knownSubmodules.ts';
import type { Lane } from './lane.ts';
import { syncIndex } from './laneIndex.ts';

/** How the files of a worktree differ from devflow's branch. */
export interface LaneStatus {
  /** The commit of the branch; null if it has none. */
  tip: string | null;
  /** Changed, deleted and untracked files, relative to the worktree. */
  files: string[];
  /** The same as bytes for git, one character per byte. */
  paths: string[];
  /** Those of `files` that the branch does not have. */
  untracked: string[];
  /**
   * Repositories inside the worktree, with a slash at the end: those that the branch does not know, and submodules whose
   * files or commits are not those that devflow put there.
   */
  nested: string[];
}

/**
 * Runs `git status` without entering repositories inside the worktree. If somebody else moved the branch, it updates the
 * index first.
 */
export async function readStatus(lane: Lane, index?: string): Promise<LaneStatus> {
  const first = await look(lane, index);
  if (!first.lagging || index !== undefined) return first.status;
  await syncIndex(lane, 'HEAD');
  return (await look(lane)).status;
}

async function look(lane: Lane, index?: string): Promise<{ status: LaneStatus; lagging: boolean }> {
  const [text, filled] = await Promise.all([ask(lane, index), changedSubmodules(lane, index)]);
  const { status, lagging } = parse(text);
  return { status: { ...status, nested: [...status.nested, ...filled] }, lagging };
}

/** Submodules with files that are not those which devflow put there. */
async function changedSubmodules(lane: Lane, index?: string): Promise<string[]> {
  const entries = await lane.read(['ls-files', '--stage', '-z'], { index, bytes: true });
  const links = entries.split('\0').flatMap((entry) => {
    const [, commit, path] = /^160000 (\S+) .*?\t(.*)$/s.exec(entry) ?? [];
    return commit === undefined || path === undefined ? [] : [{ commit, path: decode(path) }];
  });
  if (links.length === 0) return [];
  const known = new Map((await readKnown(lane)).map((each) => [`${each.commit} ${each.path}`, each]));
  const changed: string[] = [];
  for (const { commit, path } of links) {
    if (!(await isInPlace(lane, path))) continue;
    const names = await readdir(join(lane.path, path)).catch(() => []);
    const filled = known.get(`${commit} ${path}`);
    if (names.length > 0 && !(filled && (await isUnchanged(lane, filled)))) changed.push(`${path}/`);
  }
  return changed;
}

/** Behind a link in its path are other files, and git lists that link. */
async function isInPlace({ path: root }: Lane, path: string): Promise<boolean> {
  const parent = await realpath(dirname(join(root, path))).catch(() => undefined);
  return parent === join(await realpath(root), dirname(path));
}

async function isUnchanged(lane: Lane, submodule: KnownSubmodule): Promise<boolean> {
  if (await hasMoved(lane, submodule)) return false;
  const { files, nested } = await readStatus(await submoduleLane(lane, submodule));
  return files.length === 0 && nested.length === 0;
}

const FLAGS = ['--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'];

function ask(lane: Lane, index?: string): Promise<string> {
  return lane.read(['status', ...FLAGS], { index, timeoutMs: 600_000, bytes: true });
}

const OID = '# branch.oid ';

function parse(text: string): { status: LaneStatus; lagging: boolean } {
  const status: LaneStatus = { tip: null, files: [], paths: [], untracked: [], nested: [] };
  let lagging = false;
  for (const line of text.split('\0')) {
    if (line.startsWith(OID)) {
      const oid = line.slice(OID.length);
      status.tip = oid === '(initial)' ? null : oid;
    } else if (line.startsWith('? ')) {
      const path = line.slice(2);
      if (path.endsWith('/')) status.nested.push(decode(path));
      else if (!path.startsWith(`${ARTIFACTS}/`)) {
        status.paths.push(path);
        status.untracked.push(decode(path));
      }
    } else if (/^[1u] /.test(line)) {
      if (line[2] !== '.') lagging = status.tip !== null;
      status.paths.push(afterFields(line, line.startsWith('1') ? 8 : 10));
    }
  }
  status.files = status.paths.map(decode);
  return { status, lagging };
}

function decode(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}

function afterFields(line: string, fields: number): string {
  let at = 0;
  for (let n = 0; n < fields; n++) at = line.indexOf(' ', at) + 1;
  return line.slice(at);
}
