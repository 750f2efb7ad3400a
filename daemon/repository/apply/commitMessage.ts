import { visible } from '../../../schemas/text/visible.ts';

const COLUMNS = 72;
/** Far more than a summary has. */
const MOST = 4_000;

/** The message of the merge or squash commit, with the trailer of devflow's own commits. */
export function messageOf(
  does: 'merge' | 'squash',
  given: { runId: string; work: string; title: string; summary: string | null; target: string },
): string {
  const { runId, work, target, summary } = given;
  const title = unmarked(visible(given.title));
  const trailer = `Devflow-Run: ${runId}`;
  if (does === 'merge') return `Merge branch '${work}' into ${target}\n\n${title}\n\n${trailer}\n`;
  const body = summary === null ? '' : bodyOf(summary);
  return `${[title, body, trailer].filter((part) => part !== '').join('\n\n')}\n`;
}

/** Somebody else's words, which must not look like devflow's trailers or like a command to `git rebase --autosquash`. */
function unmarked(line: string): string {
  return /^(?:devflow-|(?:fixup|squash|amend)!)/i.test(line) ? ` ${line}` : line;
}

function bodyOf(summary: string): string {
  const lines = visible(summary.slice(0, MOST).toWellFormed(), 'text').split('\n');
  return lines
    .flatMap((line) => wrapped(line.trimEnd()))
    .map(unmarked)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd();
}

function wrapped(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > COLUMNS) {
    const cut = rest.lastIndexOf(' ', COLUMNS);
    const end = cut > 0 ? cut : rest.indexOf(' ', COLUMNS);
    if (end < 0) break;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return [...lines, rest];
}
