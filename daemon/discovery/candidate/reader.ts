import { type ParsedYaml, parseYaml } from '../../../schemas/definitions/yamlFile.ts';
import type { FactKind, FactSource, Uncovered, Workspace } from '../../../schemas/repoFacts.ts';
import type { KindOf } from './kindOfCommand.ts';

/** A text file of the base commit. */
export interface ReadFile {
  path: string;
  text: string;
  /** Every path of the commit, so that a reader can ask for its neighbours. */
  paths: ReadonlySet<string>;
  /** The kind of a command, also by what other files say. */
  kindOf: KindOf;
}

/** A command that a file names. Nobody has tried it yet. */
export interface Candidate {
  kind: FactKind;
  argv: string[];
  cwd: string;
  path: string;
  /** 1-based. */
  line: number;
  source: FactSource;
  /** A lock file fixes what the command uses. */
  locked?: boolean;
  /** It only prints a text, so its exit code says nothing. */
  hollow?: boolean;
}

export interface Found {
  candidates: Candidate[];
  workspaces?: Workspace[];
  uncovered?: Uncovered[];
}

/** Knows one kind of file. It is pure, and may throw on a file that it cannot read. */
export interface Reader {
  reads(path: string): boolean;
  read(file: ReadFile): Found;
}

/** A value as a record of its own keys; empty for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) ? value.flat(3).filter((each): each is string => typeof each === 'string') : [];
}

/** No file of a person nests deeper. The parser takes a second for a file that is all brackets. */
const MOST_DEPTH = 100;

/** Parses a YAML file of a repository. Throws for anything that is no plain YAML. */
export function shallowYaml({ path, text }: ReadFile): ParsedYaml {
  let depth = 0;
  for (const [mark] of text.matchAll(/[[\]{}]|^(?:[ \t]*[-?:] ){50}/gm)) {
    depth += mark.length > 1 ? MOST_DEPTH + 1 : mark === '[' || mark === '{' ? 1 : depth > 0 ? -1 : 0;
    if (depth > MOST_DEPTH) throw new Error('it nests too deeply');
  }
  const parsed = parseYaml(path, text, { allowsTags: true });
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.yaml;
}
