import { readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { firstEntries } from '../../../schemas/files/entries.ts';
import { inDirectory, lookInside, readInside, visitInside } from '../../../schemas/files/insideRoot.ts';
import { type Refused, refused } from '../../../schemas/files/openRegular.ts';

/** Files of a worktree, which an agent may have prepared: nothing here leaves it, waits, or reads without a bound. */

const MOST_LINKS = 4;

/**
 * Reads a text of the worktree. It follows a link to another Markdown file of the worktree, because `CLAUDE.md` is often
 * a link to `AGENTS.md`. A link to any other file is refused: it could show a secret to the model.
 */
export function readText(
  worktree: string,
  path: string,
  most: number,
): { ok: true; path: string; text: string } | Refused {
  const found = resolveLinks(worktree, path);
  if (!found.ok) return found;
  const read = readInside(worktree, found.path, most);
  if (!read.ok) return read;
  if (read.bytes.includes(0)) return refused('the file is not text');
  return { ok: true, path: found.path, text: printable(read.bytes.toString('utf8')) };
}

function resolveLinks(worktree: string, path: string): { ok: true; path: string } | Refused {
  let at = path;
  for (let links = 0; links <= MOST_LINKS; links += 1) {
    const looked = lookInside(worktree, at);
    if (!looked.ok) return looked;
    if (!looked.facts.isSymbolicLink()) return { ok: true, path: at };
    const link = inDirectory(worktree, at, null, (directory, name) => ({
      ok: true as const,
      target: readlinkSync(posix.join(directory, name)),
    }));
    if (!link.ok) return link;
    at = posix.normalize(posix.join(posix.dirname(at), link.target));
    if (posix.isAbsolute(link.target) || at === '.' || at.split('/')[0] === '..')
      return refused('the file is a link out of the worktree');
    if (!/\.md$/i.test(at)) return refused('the file is a link to something that is not Markdown');
  }
  return refused('the file is a link to too many links');
}

/** Without what a terminal or a settings file could take for a command. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufeff]/g, '');
}

export interface Walk {
  /** Directories below the first one. */
  depth: number;
  accepts(name: string): boolean;
  /** Directories that are not entered. */
  skips?(name: string): boolean;
}

const MOST_DIRECTORIES = 2000;
const MOST_ENTRIES = 20_000;

/**
 * Regular files below a directory of the worktree (`''`: the whole), the nearest first. Follows no link. It reads one
 * directory at a time, so that the daemon does other work in between.
 */
export async function findFiles(
  worktree: string,
  start: string,
  walk: Walk,
): Promise<{ paths: string[]; isCut: boolean }> {
  const paths: string[] = [];
  const queue = [{ path: start, depth: walk.depth }];
  let entries = 0;
  for (let nth = 0; nth < queue.length; nth += 1) {
    if (nth >= MOST_DIRECTORIES || entries >= MOST_ENTRIES) return { paths, isCut: true };
    const { path, depth } = queue[nth] as (typeof queue)[number];
    await nextTurn();
    visitInside(worktree, path, (directory) => {
      const found = firstEntries(directory, MOST_ENTRIES - entries);
      entries += found.length;
      for (const each of found) {
        const below = posix.join(path, each.name);
        if (each.isFile() && walk.accepts(each.name)) paths.push(below);
        if (each.isDirectory() && depth > 0 && !walk.skips?.(each.name)) queue.push({ path: below, depth: depth - 1 });
      }
    });
  }
  return { paths, isCut: entries >= MOST_ENTRIES };
}
