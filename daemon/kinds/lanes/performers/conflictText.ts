import type { ConflictedFile, Version } from '../../../repository/conflict/conflictedFiles.ts';
import type { ConflictNote } from '../effect.ts';

/** The text for an agent about a conflict: each file as it was, in its own lane, and in what landed. */
export function conflictText(files: readonly ConflictedFile[], { ours, theirs }: ConflictNote): string {
  const parts = files.map(({ path, reasons, ...versions }) =>
    [
      `## ${path}`,
      ...reasons,
      version('Before both changes', versions.base),
      version('Ours', versions.ours),
      version('Theirs', versions.theirs),
    ].join('\n\n'),
  );
  return `${[`# Conflicts\n\nOurs is your work:\n\n${ours}\n\nTheirs landed before it:\n\n${theirs}`, ...parts].join('\n\n')}\n`;
}

function version(title: string, content: Version): string {
  if ('about' in content) return `### ${title}\n\n${content.about}`;
  const fence = '`'.repeat(Math.max(3, longestRow(content.text) + 1));
  const rest = content.truncated ? '\n\n(The rest is left out: see the worktree.)' : '';
  return `### ${title}\n\n${fence}\n${content.text}\n${fence}${rest}`;
}

/** The longest row of backquotes: a fence must be longer, so that no file ends it. */
function longestRow(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([row]) => row.length));
}
