import type { ChangeBrief } from '../../../schemas/kinds/review/events.ts';
import { countCommits } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { isOfUncommitted } from './uncommittedChange.ts';

/** The most of each message. */
const MOST_CHARACTERS = 500;

/** The commits of a change, newest first, and how many there are. Without the commit that devflow made of uncommitted files. */
export async function readCommits(
  privateGit: PrivateGit,
  base: string,
  head: string,
  most: number,
): Promise<{ commits: ChangeBrief['commits']; total: number }> {
  const count = await countCommits(privateGit, base, head);
  const args = ['log', '-z', '--no-color', '--no-show-signature', `--max-count=${most + 1}`, '--format=%H %ae%n%B'];
  const { stdout } = await privateGit.objects([...args, `${base}..${head}`, '--'], { read: true });
  const read = stdout.split('\0').flatMap((entry) => {
    const [first = '', ...lines] = entry.split('\n');
    const [id = '', email = ''] = first.split(' ');
    const text = lines.join('\n').trim();
    return id === '' || isOfUncommitted(email, text) ? [] : [{ id, text: cut(text) }];
  });
  const own = count <= most && read.length < count ? 1 : 0;
  return { commits: read.slice(0, most), total: count - own };
}

/** Whole characters, because the database does not take half of a surrogate pair. */
function cut(text: string): string {
  const characters = [...text.toWellFormed().slice(0, 2 * MOST_CHARACTERS)];
  return characters.length <= MOST_CHARACTERS
    ? text.toWellFormed()
    : `${characters.slice(0, MOST_CHARACTERS).join('')}…`;
}
