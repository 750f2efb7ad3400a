import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside, readInside, visitInside } from '../../../schemas/files/insideRoot.ts';
import { orElse } from '../../../schemas/orElse.ts';
import { createGit } from '../git/git.ts';
import { agentGitOf } from './agentGit.ts';
import { BARE_CONFIG } from './privateConfig.ts';
import type { PrivateGit } from './privateGit.ts';
import { commitNamed } from './workCommit.ts';

const OBJECT_DIRECTORY = /^(?:[0-9a-f]{2}|pack)$/;
const OBJECT = /^(?:[0-9a-f]{38,62}|pack-[0-9a-f]+\.(?:pack|idx))$/;
/** More than an agent commits. Larger commits stay with the agent: devflow commits the files in any case. */
const MOST_BYTES = 256 * 1024 * 1024;
const MOST_OBJECTS = 100_000;

/**
 * The commit that an agent in a sandbox has checked out, with its objects in the repository. `branch`: the newest commit of
 * devflow's branch. Null: it cannot be had. Undefined without a sandbox.
 */
export async function takeAgentCommit(privateGit: PrivateGit): Promise<string | 'branch' | null | undefined> {
  const places = await agentGitOf(privateGit);
  if (!places) return undefined;
  const read = readInside(places.entry, 'HEAD', 1024);
  const head = read.ok ? read.bytes.toString('latin1').trim() : '';
  const tip = await commitNamed(privateGit, privateGit.head ?? `refs/heads/${privateGit.branch}`);
  if (!/^[0-9a-f]{40,64}$/.test(head)) return null;
  if (head === tip) return 'branch';
  if ((await commitNamed(privateGit, head)) !== undefined) return head;
  const incoming = join(privateGit.gitDir, 'agent', 'incoming');
  try {
    makeRepository(incoming, privateGit.common);
    if (!copyObjects(places.objects, join(incoming, 'objects'))) return null;
    const input = `${head}\n${tip === undefined ? '' : `^${tip}\n`}`;
    const options = { gitDir: incoming, bytes: true, cap: MOST_BYTES };
    const pack = await createGit().run(incoming, ['pack-objects', '--revs', '--stdout', '-q'], { ...options, input });
    if (pack.truncated) return null;
    await privateGit.objects(['unpack-objects', '-q', '--strict'], { input: pack.stdout, bytes: true });
    return (await commitNamed(privateGit, head)) ?? null;
  } catch (error) {
    // Objects that are missing or broken. The files of the worktree count.
    if (error instanceof DevflowError && error.code === 'git_failed') return null;
    throw error;
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
}

/** A repository for copies of the agent's objects, which finds the others in the person's. */
function makeRepository(directory: string, common: string): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, 'objects/info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(directory, 'refs'), { mode: 0o700 });
  writeFileSync(join(directory, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(directory, 'config'), BARE_CONFIG);
  writeFileSync(join(directory, 'objects/info/alternates'), `${join(common, 'objects')}\n`);
}

/** Copies regular files only, because git would open a pipe. False if there is too much. */
function copyObjects(from: string, to: string): boolean {
  let [bytes, count] = [0, 0];
  for (const name of namesIn(from, '.').filter((each) => OBJECT_DIRECTORY.test(each))) {
    mkdirSync(join(to, name), { recursive: true, mode: 0o700 });
    visitInside(from, name, (directory) => {
      for (const object of namesIn(directory, '').filter((each) => OBJECT.test(each))) {
        const found = lookInside(from, join(name, object));
        if (!found.ok || !found.facts.isFile()) continue;
        bytes += found.facts.size;
        count += 1;
        if (bytes > MOST_BYTES || count > MOST_OBJECTS) return;
        const read = readInside(from, join(name, object), MOST_BYTES);
        if (read.ok) writeFileSync(join(to, name, object), read.bytes);
      }
    });
  }
  return bytes <= MOST_BYTES && count <= MOST_OBJECTS;
}

function namesIn(directory: string, path: string): string[] {
  return orElse(() => readdirSync(join(directory, path)), []);
}
