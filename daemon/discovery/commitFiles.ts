import type { Uncovered } from '../../schemas/repoFacts.ts';
import { latin1Of, textOf } from '../repository/git/pathBytes.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { chooseFiles } from './chooseFiles.ts';

/** No manifest that a person wrote is larger. */
const MOST_BYTES = 256 * 1024;
/** A longer script is a program. */
const MOST_SCRIPT_BYTES = 64 * 1024;
const MOST_TOTAL = 2 * 1024 * 1024;
const LISTED_CHARACTERS = 48 * 1024 * 1024;

/** A commit as readers see it. */
export interface CommitFiles {
  paths: Set<string>;
  texts: Map<string, string>;
  uncovered: Uncovered[];
  /** The texts of more files, as far as they are small and UTF-8. */
  readMore(paths: readonly string[]): Promise<Map<string, string>>;
}

/** Reads from the objects of a commit: no link of a checkout is followed, and no filter runs. */
export async function readCommitFiles(privateGit: PrivateGit, commit: string): Promise<CommitFiles> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', commit];
  const listed = await privateGit.objects(args, { read: true, bytes: true, cap: LISTED_CHARACTERS });
  const files = new Map<string, { mode: string; id: string }>();
  for (const line of listed.stdout.split('\0')) {
    const [, mode, id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? [];
    if (mode && id && path) files.set(textOf(path), { mode, id });
  }
  const paths = new Set([...files].flatMap(([path, { mode }]) => (mode.startsWith('100') ? [path] : [])));
  const { chosen, uncovered } = chooseFiles(files.keys());
  if (listed.truncated) uncovered.push({ path: '.', why: `only the first ${files.size} files are listed` });
  const wanted: { path: string; id: string }[] = [];
  for (const path of chosen) {
    const { mode = '', id = '' } = files.get(path) ?? {};
    if (mode.startsWith('100')) wanted.push({ path, id });
    else uncovered.push({ path, why: mode === '120000' ? 'the file is a link' : 'this is not a file' });
  }
  const read = await readTexts(privateGit, wanted);
  const readMore = async (more: readonly string[]) => {
    const found = more.flatMap((path) => {
      const id = paths.has(path) ? files.get(path)?.id : undefined;
      return id === undefined ? [] : [{ path, id }];
    });
    return (await readTexts(privateGit, found, MOST_SCRIPT_BYTES)).texts;
  };
  return { paths, texts: read.texts, uncovered: [...uncovered, ...read.uncovered], readMore };
}

async function readTexts(
  privateGit: PrivateGit,
  wanted: readonly { path: string; id: string }[],
  mostBytes = MOST_BYTES,
): Promise<Pick<CommitFiles, 'texts' | 'uncovered'>> {
  const texts = new Map<string, string>();
  const uncovered: Uncovered[] = [];
  const sizes = await sizesOf(privateGit, wanted);
  let total = 0;
  const small = wanted.filter(({ path }, nth) => {
    const size = sizes[nth] ?? Number.POSITIVE_INFINITY;
    const fits = size <= mostBytes && total + size <= MOST_TOTAL;
    if (fits) total += size;
    else uncovered.push({ path, why: `the file is larger than ${mostBytes} bytes, or there are too many` });
    return fits;
  });
  if (small.length === 0) return { texts, uncovered };
  const { stdout } = await privateGit.objects(['cat-file', '--batch'], {
    read: true,
    bytes: true,
    input: small.map(({ id }) => `${id}\n`).join(''),
  });
  let at = 0;
  for (const { path } of small) {
    const header = stdout.slice(at, stdout.indexOf('\n', at));
    const size = Number(header.split(' ')[2]);
    at += header.length + 1;
    const text = decode(stdout.slice(at, at + size));
    at += size + 1;
    if (text === undefined) uncovered.push({ path, why: 'the file is not UTF-8 text' });
    else texts.set(path, text);
  }
  return { texts, uncovered };
}

async function sizesOf(privateGit: PrivateGit, wanted: readonly { id: string }[]): Promise<(number | undefined)[]> {
  if (wanted.length === 0) return [];
  const input = wanted.map(({ id }) => `${id}\n`).join('');
  const { stdout } = await privateGit.objects(['cat-file', '--batch-check'], { read: true, bytes: true, input });
  return stdout.split('\n').map((line) => {
    const size = / blob (\d+)$/.exec(line)?.[1];
    return size === undefined ? undefined : Number(size);
  });
}

function decode(latin1: string): string | undefined {
  const text = textOf(latin1);
  return text.includes('\0') || latin1Of(text) !== latin1 ? undefined : text.replace(/^\uFEFF/, '');
}
