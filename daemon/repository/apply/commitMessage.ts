const MOST = 72;

/** The first line with text, without Markdown's heading and list signs, cut to the length of a commit subject. */
export function titleOf(requirements: string): string {
  const lines = requirements.split(/\r?\n/).map((line) =>
    line
      .replace(/^[\s#>*-]+/, '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  const title = lines.find((line) => line !== '') ?? 'Work of devflow';
  if (title.length <= MOST) return title;
  const cut = title.slice(0, MOST - 1);
  return `${cut.slice(0, cut.lastIndexOf(' ') > MOST / 2 ? cut.lastIndexOf(' ') : cut.length).trimEnd()}…`;
}

/** The message of the merge or squash commit, with the trailer of devflow's own commits. */
export function messageOf(
  does: 'merge' | 'squash',
  { runId, work, title, target }: { runId: string; work: string; title: string; target: string },
): string {
  const trailer = `Devflow-Run: ${runId}`;
  if (does === 'squash') return `${title}\n\n${trailer}\n`;
  return `Merge branch '${work}' into ${target}\n\n${title}\n\n${trailer}\n`;
}
