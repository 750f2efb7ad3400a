import { chmodSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { openRegular, readOpened } from '../../schemas/files/openRegular.ts';
import { orElse } from '../../schemas/orElse.ts';
import { latin1Of, textOf } from '../repository/git/pathBytes.ts';

/** Something moves from a checkout to a worktree. Both are canonical paths. */
export interface Move {
  checkout: string;
  worktree: string;
}

/** Larger files are programs. */
const MOST_BYTES = 1024 * 1024;
/** Linux cuts the first line of a script at 256 bytes. */
const LONGEST_START = 250;
/** Files by which Python finds packages that are installed from their sources. */
const FINDERS = /\.(?:pth|egg-link)$|^__editable__.*\.py$/;

/**
 * A virtual environment names its own directory in its scripts, and the sources of packages that are installed from them. In
 * a copy these would be the files of the checkout, and its tests would test those. Paths have one character per byte.
 */
export function relocateVenv(venv: string, move: Move): void {
  relocateFile(`${venv}/pyvenv.cfg`, move);
  for (const name of ['bin', 'Scripts']) relocateScripts(`${venv}/${name}`, move);
  for (const version of namesIn(`${venv}/lib`)) {
    const site = `${venv}/lib/${version}/site-packages`;
    for (const name of namesIn(site)) {
      if (FINDERS.test(name)) relocateFile(`${site}/${name}`, move);
      if (name.endsWith('.dist-info')) relocateFile(`${site}/${name}/direct_url.json`, move);
    }
  }
}

/** The scripts of one directory that name the checkout. */
export function relocateScripts(directory: string, move: Move): void {
  for (const name of namesIn(directory)) relocateFile(`${directory}/${name}`, move);
}

function namesIn(directory: string): string[] {
  return orElse(() => readdirSync(Buffer.from(directory, 'latin1'), 'latin1'), []);
}

/** Only a regular text file changes. It gets a new time: Python keeps compiled code by the time of its source. */
function relocateFile(path: string, move: Move): void {
  const opened = openRegular(textOf(path));
  const read = readOpened(opened, MOST_BYTES);
  if (!opened.ok || !read.ok) return;
  const text = read.bytes.toString('latin1');
  const moved = relocatedText(text, move);
  if (moved === text) return;
  const draft = `${textOf(path)}.devflow`;
  writeFileSync(draft, Buffer.from(moved, 'latin1'), { flag: 'wx' });
  chmodSync(draft, opened.facts.mode & 0o7777);
  renameSync(draft, textOf(path));
}

/** The text of a file with the new place of what it names in the checkout. One character per byte. Pure. */
export function relocatedText(text: string, move: Move): string {
  const [checkout, worktree] = [latin1Of(move.checkout), latin1Of(move.worktree)];
  if (text.includes('\0') || !text.includes(checkout)) return text;
  const isPart = (character: string | undefined) => /[\w.-]/.test(character ?? '');
  // Another directory may begin or end with the same names.
  const moved = text.replaceAll(checkout, (found, at: number) =>
    isPart(text[at - 1]) || isPart(text[at + found.length]) ? found : worktree,
  );
  const [start = '', program = '', rest = ''] = /^#![ \t]*(\S+)(.*)/.exec(moved) ?? [];
  if (start.length <= LONGEST_START || !program.includes('python')) return moved;
  // As pip writes it: a string for Python, and a command for the shell.
  return `#!/bin/sh\n'''exec' "${program}"${rest} "$0" "$@"\n' '''${moved.slice(start.length)}`;
}

/**
 * The target of a link at `path` after its move. A target in the checkout becomes the same one in the worktree, and one outside
 * stays the same place. All paths but those of `move` have one character per byte. Pure.
 */
export function movedLink(target: string, path: string, move: Move): string {
  const [checkout, worktree] = [latin1Of(move.checkout), latin1Of(move.worktree)];
  if (!isAbsolute(target)) {
    const named = join(checkout, dirname(path), target);
    return isBelow(checkout, named) ? target : named;
  }
  return isBelow(checkout, target) ? worktree + target.slice(checkout.length) : target;
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
