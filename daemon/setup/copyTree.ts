import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  lchownSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  opendirSync,
  openSync,
  readlinkSync,
  rmSync,
  type Stats,
  symlinkSync,
} from 'node:fs';
import { inDirectory } from '../../schemas/files/insideRoot.ts';
import { refusal } from '../../schemas/files/openRegular.ts';
import { latin1Of, textOf } from '../repository/git/pathBytes.ts';
import { type Move, movedLink, relocateScripts, relocateVenv } from './relocate.ts';

/** One file, link or directory of a checkout, and where its copy is made. */
export interface CopyJob {
  /** Canonical path of the checkout. */
  checkout: string;
  /** Relative to the checkout. */
  path: string;
  /** The new path of the copy. Its directory exists. */
  to: string;
  /** The worktree in which the copy is used. Texts and links that name the checkout name it instead. */
  worktree: string;
}

export interface Copied {
  files: number;
  bytes: number;
  /** True if the disk shares the bytes of both until one of them changes. */
  shared: boolean;
  /** Anything but a file, link or directory, and what cannot be read, with the reason. */
  skipped: { path: string; reason: string }[];
  /** The reason for no copy. It completes a sentence that names the path. */
  fault?: string;
}

export interface CopyLimits {
  files: number;
  bytes: number;
}

export const COPY_LIMITS: CopyLimits = { files: 1_000_000, bytes: 50_000_000_000 };
const MOST_DEPTH = 200;
const MOST_SKIPPED = 100;
/** A build keeps its largest files under two names. Smaller ones are not worth the memory. */
const LINKED_BYTES = 1_000_000;
const PROGRESS_FILES = 500;

const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const DIRECTORY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY | constants.O_NONBLOCK;
const HAS_PROC = existsSync('/proc/self/fd');
const IS_ROOT = process.getuid?.() === 0;

/** A name for calls of the file system. Paths here have one character per byte. */
function raw(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

class Refusal extends Error {}

const CHANGED = 'changed while devflow copied it';
/** A person's tools may write into it just then. */
const TRIES = 3;

/**
 * Copies with modes and times, as root with owners, too. Follows no link, and waits for no pipe. The work is synchronous, for a
 * thread of its own. Throws if the machine fails, such as on a full disk; then a part of the copy may be left.
 */
export function copyTree(
  job: CopyJob,
  onProgress: (done: { files: number; bytes: number }) => void = () => {},
  limits: CopyLimits = COPY_LIMITS,
): Copied {
  for (let nth = 1; ; nth++) {
    const copied = copyOnce(job, onProgress, limits);
    if (copied.fault !== CHANGED || nth === TRIES) return copied;
  }
}

function copyOnce(
  job: CopyJob,
  onProgress: (done: { files: number; bytes: number }) => void,
  limits: CopyLimits,
): Copied {
  const copied: Copied = { files: 0, bytes: 0, shared: false, skipped: [] };
  const copying = { ...job, copied, onProgress, limits, links: new Map(), venvs: [], tried: false };
  const failures: unknown[] = [];
  const found = inDirectory(job.checkout, job.path, null, (parent, name) => {
    try {
      copyEntry(copying, `${parent}/${latin1Of(name)}`, latin1Of(job.path), latin1Of(job.to), 0);
      for (const venv of copying.venvs) relocateVenv(venv, copying);
    } catch (error) {
      // `inDirectory` takes a failure to read for a refusal.
      failures.push(error);
    }
    return { ok: true as const };
  });
  for (const error of failures) if (!(error instanceof Refusal)) throw error;
  const [refused] = failures as Refusal[];
  const fault = refused?.message ?? (found.ok ? undefined : found.fault);
  if (fault === undefined) return copied;
  rmSync(job.to, { recursive: true, force: true, maxRetries: 5 });
  return { ...copied, fault };
}

interface Copying extends CopyJob, Move {
  copied: Copied;
  onProgress(done: { files: number; bytes: number }): void;
  limits: CopyLimits;
  /** Copies of files that have several names, by their inode. */
  links: Map<string, string>;
  /** Copied virtual environments of Python. */
  venvs: string[];
  /** True once it is known whether the disk can share bytes. */
  tried: boolean;
}

/** `path` is relative to the checkout, `source` leads there without a link. */
function copyEntry(copying: Copying, source: string, path: string, to: string, depth: number): void {
  const facts = lstatSync(raw(source), { throwIfNoEntry: false });
  if (!facts) throw new Refusal(depth === 0 ? 'is not there' : CHANGED);
  if (facts.isDirectory()) copyDirectory(copying, source, path, to, depth);
  else if (facts.isSymbolicLink()) copyLink(copying, source, path, to, facts);
  else if (facts.isFile()) copyFile(copying, source, path, to);
  else skip(copying, path, kindOf(facts));
}

function copyDirectory(copying: Copying, source: string, path: string, to: string, depth: number): void {
  if (depth > MOST_DEPTH) throw new Refusal(`has more than ${MOST_DEPTH} directories in each other`);
  let fd: number;
  try {
    fd = openSync(raw(source), DIRECTORY);
  } catch (error) {
    skip(copying, path, refusal(error).fault);
    return;
  }
  try {
    const here = HAS_PROC ? `/proc/self/fd/${fd}` : source;
    const before = fstatSync(fd);
    mkdirSync(raw(to), { mode: 0o700 });
    const directories: string[] = [];
    const isVenv = copyFiles(copying, here, path, to, depth, directories);
    for (const name of directories)
      copyEntry(copying, `${here}/${name}`, `${path}/${name}`, `${to}/${name}`, depth + 1);
    if (isVenv) copying.venvs.push(to);
    if (path.endsWith('/.bin')) relocateScripts(to, copying);
    if (fstatSync(fd).mtimeMs !== before.mtimeMs) throw new Refusal(CHANGED);
    keepFacts(to, before);
  } finally {
    closeSync(fd);
  }
}

/** Copies what is no directory, and notes the directories: only one directory is open at a time for each level. */
function copyFiles(
  copying: Copying,
  here: string,
  path: string,
  to: string,
  depth: number,
  directories: string[],
): boolean {
  let isVenv = false;
  const opened = opendirSync(here, { bufferSize: 256, encoding: 'latin1' });
  try {
    for (let entry = opened.readSync(); entry; entry = opened.readSync()) {
      const { name } = entry;
      if (name === 'pyvenv.cfg') isVenv = true;
      if (entry.isDirectory()) directories.push(name);
      else if (entry.isFile()) copyFile(copying, `${here}/${name}`, `${path}/${name}`, `${to}/${name}`);
      else copyEntry(copying, `${here}/${name}`, `${path}/${name}`, `${to}/${name}`, depth + 1);
    }
  } finally {
    opened.closeSync();
  }
  return isVenv;
}

function copyFile(copying: Copying, source: string, path: string, to: string): void {
  let fd: number;
  try {
    fd = openSync(raw(source), FILE);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EMFILE', 'ENFILE', 'EIO'].includes(code)) throw error;
    if (code === 'ENOENT') throw new Refusal(CHANGED);
    skip(copying, path, refusal(error).fault);
    return;
  }
  try {
    const facts = fstatSync(fd);
    if (facts.isFile()) copyOpened(copying, HAS_PROC ? `/proc/self/fd/${fd}` : source, to, facts);
    else skip(copying, path, kindOf(facts));
  } finally {
    closeSync(fd);
  }
}

function copyOpened(copying: Copying, source: string, to: string, facts: Stats): void {
  count(copying, facts.size);
  const inode = facts.nlink > 1 && facts.size >= LINKED_BYTES ? `${facts.dev} ${facts.ino}` : undefined;
  const other = inode === undefined ? undefined : copying.links.get(inode);
  if (other === undefined) {
    copyBytes(copying, source, to, facts.size);
    keepFacts(to, facts);
    if (inode !== undefined) copying.links.set(inode, to);
  } else {
    linkSync(raw(other), raw(to));
  }
}

/** Tries on the first file whether the disk can share bytes: each failed try costs a call. */
function copyBytes(copying: Copying, source: string, to: string, size: number): void {
  const { copied } = copying;
  const plain = constants.COPYFILE_EXCL;
  if (copied.shared || (!copying.tried && size > 0)) {
    copying.tried = true;
    try {
      copyFileSync(source, raw(to), plain | constants.COPYFILE_FICLONE_FORCE);
      copied.shared = true;
      return;
    } catch (error) {
      if (copied.shared && ['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error;
      rmSync(raw(to), { force: true });
    }
  }
  copyFileSync(source, raw(to), plain);
}

function copyLink(copying: Copying, source: string, path: string, to: string, facts: Stats): void {
  count(copying, 0);
  symlinkSync(raw(movedLink(readlinkSync(raw(source), 'latin1'), path, copying)), raw(to));
  keepFacts(to, facts);
}

/** Owner first: changing it takes away bits of the mode. */
function keepFacts(to: string, facts: Stats): void {
  if (IS_ROOT) lchownSync(raw(to), facts.uid, facts.gid);
  const times = [facts.atimeMs / 1000, facts.mtimeMs / 1000] as const;
  if (!facts.isSymbolicLink()) chmodSync(raw(to), facts.mode & 0o7777);
  lutimesSync(raw(to), ...times);
}

function count({ copied, limits, onProgress }: Copying, bytes: number): void {
  copied.files += 1;
  copied.bytes += bytes;
  if (copied.files > limits.files) throw new Refusal(`has more than ${limits.files} files`);
  if (copied.bytes > limits.bytes) throw new Refusal(`has more than ${limits.bytes} bytes`);
  if (copied.files % PROGRESS_FILES === 0) onProgress({ files: copied.files, bytes: copied.bytes });
}

function skip({ copied }: Copying, path: string, reason: string): void {
  if (copied.skipped.length < MOST_SKIPPED) copied.skipped.push({ path: textOf(path), reason });
}

function kindOf(facts: Stats): string {
  if (facts.isFIFO()) return 'this is a pipe';
  if (facts.isSocket()) return 'this is a socket';
  if (facts.isDirectory()) return 'this is a directory';
  return 'this is a device';
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
