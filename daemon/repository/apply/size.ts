import type { ApplyPlan } from '../../../schemas/rpc/methods/runApply.ts';
import type { Checkout } from '../checkout/checkout.ts';
import { countCommits, measure } from '../privateGit/history.ts';

/** The question lists at most this many commits. */
const MOST = 20;

/** The commits that `onto` does not have, and the counts of changed files and lines. */
export async function sizeOf(
  { privateGit }: Checkout,
  { onto, head, tree }: { onto: string; head: string; tree: string },
): Promise<Pick<ApplyPlan, 'commits' | 'commitCount' | 'totals'>> {
  return { ...(await commitsBetween(privateGit, onto, head)), totals: await measure(privateGit, onto, tree) };
}

/** The newest commits of `to` that `from` does not have, and how many there are. */
export async function commitsBetween(
  privateGit: Checkout['privateGit'],
  from: string,
  to: string,
): Promise<Pick<ApplyPlan, 'commits' | 'commitCount'>> {
  const args = ['log', '-z', '--format=%H %s', `--max-count=${MOST}`, `${from}..${to}`, '--'];
  const { stdout } = await privateGit.objects(args, { read: true });
  const commits = stdout.split('\0').flatMap((line) => {
    const at = line.indexOf(' ');
    return at < 0 ? [] : [{ commit: line.slice(0, at), subject: line.slice(at + 1) }];
  });
  return { commits, commitCount: await countCommits(privateGit, from, to) };
}
