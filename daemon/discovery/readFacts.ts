import type { RepoFacts, Uncovered } from '../../schemas/repoFacts.ts';
import { visible } from '../../schemas/text/visible.ts';
import { readScript } from '../policy/shell/shell.ts';
import { kindIn } from './bodies/kindIn.ts';
import type { Candidate, Found, ReadFile } from './candidate/reader.ts';
import { languagesOf } from './languages.ts';
import { memoize } from './memoize.ts';
import { type RankedFact, rankFacts } from './rankFacts.ts';
import { READERS } from './readers/index.ts';

/** The facts of a commit, before any command ran. */
export interface ReadFacts extends Pick<RepoFacts, 'languages' | 'workspaces' | 'uncovered'> {
  facts: RankedFact[];
  /** Files that say more about a command. */
  needs: string[];
}

const MOST_WORKSPACES = 500;
const MOST_UNCOVERED = 300;
const MOST_FAULT = 160;

/** Reads the texts of a commit. A file that no reader can read is a line of `uncovered`. */
export function readFacts(
  paths: ReadonlySet<string>,
  texts: ReadonlyMap<string, string>,
  unread: readonly Uncovered[],
): ReadFacts {
  const needs = new Set<string>();
  const commandsOf = memoize((script: string) => readScript(script).commands, String);
  const kindOf = kindIn({ paths, read: (path) => texts.get(path), commandsOf }, needs);
  const candidates: Candidate[] = [];
  const workspaces = new Map<string, { path: string; from: string }>();
  const uncovered = [...unread];
  for (const [path, text] of texts) {
    const found = readOne({ path, text, paths, kindOf });
    candidates.push(...found.candidates);
    uncovered.push(...(found.uncovered ?? []));
    for (const each of found.workspaces ?? []) if (!workspaces.has(each.path)) workspaces.set(each.path, each);
  }
  const ranked = rankFacts(candidates, paths, texts);
  uncovered.push(...ranked.uncovered);
  return {
    facts: ranked.facts,
    languages: languagesOf(paths),
    workspaces: [...workspaces.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, MOST_WORKSPACES),
    uncovered: cut(uncovered),
    needs: [...needs],
  };
}

function readOne(file: ReadFile): Found {
  try {
    return READERS.find((reader) => reader.reads(file.path))?.read(file) ?? { candidates: [] };
  } catch (error) {
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return {
      candidates: [],
      uncovered: [{ path: file.path, why: `it cannot be read: ${message.slice(0, MOST_FAULT)}` }],
    };
  }
}

function cut(uncovered: readonly Uncovered[]): Uncovered[] {
  const shown = uncovered.slice(0, MOST_UNCOVERED).map(({ path, why }) => ({ path: visible(path), why: visible(why) }));
  const more = uncovered.length - shown.length;
  return more > 0 ? [...shown, { path: '.', why: `${more} more gaps are not listed` }] : shown;
}
