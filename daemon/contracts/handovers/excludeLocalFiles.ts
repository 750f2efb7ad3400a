import { HANDOVER } from '../../../schemas/contracts/handover/document/contract.ts';
import { lookInside, readInside, writeInside } from '../../../schemas/files/insideRoot.ts';
import { gitDirectories } from '../../repository/git/repositoryFiles.ts';

const FILE = 'info/exclude';
/** The session state and its prompt: both are about one machine. */
const LINES: readonly string[] = ['*.local.json', HANDOVER.files['session-prompt']];
const LARGEST_BYTES = 1024 * 1024;

/** Makes git ignore session states and their prompts, without a change to a file that git tracks. Where that fails, nothing is lost. */
export async function excludeLocalFiles(checkout: string | undefined): Promise<void> {
  if (checkout === undefined) return;
  const common = await gitDirectories(checkout).then(
    (directories) => directories.common,
    () => undefined,
  );
  if (common === undefined || !isGitDirectory(common)) return;
  const read = readInside(common, FILE, LARGEST_BYTES);
  if (!read.ok && !read.missing) return;
  const text = read.ok ? read.bytes.toString('utf8') : '';
  const known = new Set(text.split(/\r?\n/));
  const missing = LINES.filter((line) => !known.has(line));
  if (missing.length === 0) return;
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const found = lookInside(common, FILE);
  writeInside(common, FILE, `${text}${gap}${missing.join('\n')}\n`, found.ok ? found.facts.mode & 0o777 : 0o644);
}

/** An agent may write a file .git that names any directory. */
function isGitDirectory(directory: string): boolean {
  const [head, objects] = ['HEAD', 'objects'].map((name) => lookInside(directory, name));
  return head?.ok === true && head.facts.isFile() && objects?.ok === true && objects.facts.isDirectory();
}
