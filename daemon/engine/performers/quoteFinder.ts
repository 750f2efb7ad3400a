import type { Quote } from '../../../schemas/kinds/review/events.ts';
import type { Anchor, ChangedFile } from '../../../schemas/place/place.ts';
import { anchorAt, anchorQuote } from '../../core/place/anchor.ts';
import { carryPlace } from '../../core/place/carry.ts';
import { fileLines } from '../../repository/change/fileLines.ts';
import { readChange } from '../../repository/change/readChange.ts';
import type { PrivateGit } from '../../repository/privateGit/privateGit.ts';

type Lines = Promise<readonly string[] | undefined>;

interface Quoted {
  path: string;
  line: number;
  quote: string;
  /** `old`: the reviewer says that the change removed the line. */
  side?: 'new' | 'old';
}

/** Finds what agents quote: in the reviewed commit, or among the lines that are gone since a commit before. */
export function createQuoteFinder(privateGit: PrivateGit, commits: { head: string; before: readonly string[] }) {
  const { head, before } = commits;
  const linesOf = fileLines(privateGit, head);
  const olds = before.map((commit) => {
    let files: Promise<ChangedFile[]> | undefined;
    const changed = () => {
      files ??= readChange(privateGit, commit, head).then((change) => change.files);
      return files;
    };
    return { linesOf: fileLines(privateGit, commit), changed };
  });

  /** Where a line stood, and where it would be. A line that is still there has an ordinary anchor. */
  async function removedAnchor({ path, line, quote }: Quoted): Promise<{ path: string; anchor: Anchor | null } | null> {
    for (const old of olds) {
      const files = await old.changed();
      const oldPath = files.find((file) => file.path === path)?.from ?? path;
      const lines = await old.linesOf(oldPath);
      const found = lines ? anchorQuote(lines, { line, quote }) : null;
      if (!found) continue;
      const now = carryPlace(files, { path: oldPath, line: found.line });
      const newLines = await linesOf(now.path);
      if (newLines && !now.isChanged) return { path: now.path, anchor: anchorAt(newLines, now.line) };
      return { path: now.path, anchor: { ...found, line: now.line, removed: { path: oldPath, line: found.line } } };
    }
    return null;
  }

  return {
    linesOf,
    /** The lines of a file as the Before directory has them. */
    oldLinesOf: async (path: string): Lines => olds[0]?.linesOf(path),
    /** Where a finding is in the reviewed commit. */
    async anchorOf(finding: Quoted): Promise<{ path: string; anchor: Anchor | null }> {
      const lines = await linesOf(finding.path);
      const here = { path: finding.path, anchor: lines ? anchorQuote(lines, finding) : null };
      if (here.anchor && finding.side !== 'old') return here;
      return (await removedAnchor(finding)) ?? here;
    },
    /** True if a quote is there. A removed line proves nothing about a line that is there. */
    async stands({ path, line, text: quote }: Quote, { isRemoved }: { isRemoved: boolean }): Promise<boolean> {
      const lines = await linesOf(path);
      if (lines && anchorQuote(lines, { line, quote })) return true;
      return isRemoved && (await removedAnchor({ path, line, quote })) !== null;
    },
  };
}
