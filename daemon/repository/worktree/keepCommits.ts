import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from '../git/repositoryFiles.ts';
import { keepCommit } from '../privateGit/keepCommit.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { excludedIn } from './takenByAgent.ts';

/**
 * Keeps every commit that only this worktree refers to. Such commits come from a detached HEAD, a rewritten or deleted
 * branch, or a ref of the worktree. Otherwise git would lose them with the worktree. Returns the refs.
 */
export async function keepCommits(privateGit: PrivateGit): Promise<string[]> {
  const named = await namedCommits(privateGit.entry.directory);
  if (named.length === 0) return [];
  const { stdout } = await privateGit.objects(['cat-file', '--batch-check'], { input: `${named.join('\n')}\n` });
  const commits = stdout.split('\n').flatMap((line) => /^(\S+) commit /.exec(line)?.[1] ?? []);
  if (commits.length === 0) return [];
  const input = `${commits.join('\n')}\n`;
  const listed = (await privateGit.objects(['rev-list', '--parents', '--stdin', '--not', '--all'], { input })).stdout;
  const lines = listed.split('\n').filter((line) => line !== '');
  const parents = new Set(lines.flatMap((line) => line.split(' ').slice(1)));
  const tips = lines.map((line) => line.split(' ')[0] as string).filter((commit) => !parents.has(commit));
  const refs: string[] = [];
  for (const tip of tips) {
    // devflow committed the rest of it. A ref would keep a person's secret, and could be pushed.
    const taken = await excludedIn(privateGit, [tip, '--not', '--all']);
    if (taken.length === 0) refs.push(await keepCommit(privateGit, tip));
  }
  return refs;
}

async function namedCommits(directory: string): Promise<string[]> {
  const texts = await Promise.all(
    ['HEAD', 'ORIG_HEAD', 'logs/HEAD'].map((name) => readText(join(directory, name)).then((text) => text ?? '')),
  );
  const own = await readdir(join(directory, 'refs'), { recursive: true }).catch(() => [] as string[]);
  const refs = await Promise.all(own.map((name) => readText(join(directory, 'refs', name))));
  const oids = [...texts, ...refs].flatMap(
    (text) => text?.match(/(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/g) ?? [],
  );
  return [...new Set(oids)].filter((oid) => !/^0+$/.test(oid));
}
