import type { Import, Source } from './scan.ts';
import { ONLY_IN, type Rule } from './table.ts';

/** Every import that the table forbids, as a sentence. */
export function forbiddenImports(sources: readonly Source[], table: Readonly<Record<string, Rule>>): string[] {
  return sources.flatMap(({ path, imports }) => {
    const folder = folderOf(path, table);
    if (folder === undefined) return [`${path} is in no folder of the table`];
    return imports
      .filter((one) => !isAllowed(path, folder, table[folder] as Rule, one))
      .map(({ to, typeOnly }) => `${path} imports ${typeOnly ? 'types of ' : ''}${to}, which ${folder} may not`);
  });
}

/**
 * The entry that decides: the longest one that contains the path, so that a part of a folder can have its own rules.
 */
function folderOf(path: string, table: Readonly<Record<string, Rule>>): string | undefined {
  return Object.keys(table)
    .filter((folder) => lies(path, folder))
    .sort((a, b) => b.length - a.length)[0];
}

function isAllowed(path: string, folder: string, { may, types = [], packages }: Rule, one: Import): boolean {
  if (!one.ours) {
    const only = ONLY_IN[one.to];
    if (only !== undefined) return path === only;
    return packages === undefined || packages.some((name) => name === one.to || matchesAny(name, one.to));
  }
  const folders = [folder, ...may, ...(one.typeOnly ? types : [])];
  return folders.some((each) => lies(one.to, each));
}

function matchesAny(pattern: string, name: string): boolean {
  return pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1));
}

function lies(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

const WRITES_EVENTS =
  /(?:insert\s+into|update(?:\s+only)?|delete\s+from(?:\s+only)?|truncate(?:\s+table)?|merge\s+into|copy)\s+"?run_events\b|\.(?:insert|update|delete)\(\s*(?:schema\.)?runEvents\b/i;

/** Files that write `run_events` outside the folders where SQL lives (invariant 1). */
export function strayEventWriters(sources: readonly Source[], folders: readonly string[]): string[] {
  return sources
    .filter(({ path, text }) => WRITES_EVENTS.test(text) && !folders.some((folder) => lies(path, folder)))
    .map(({ path }) => path);
}

export function tooLong(sources: readonly Source[], most: number): string[] {
  return sources.filter(({ lines }) => lines > most).map(({ path, lines }) => `${path} has ${lines} lines`);
}

/** Names of the list that no string in these sources contains. */
export function unusedNames(names: readonly string[], sources: readonly Source[]): string[] {
  const texts = sources.map(({ text }) => text);
  return names.filter((name) => !texts.some((text) => text.includes(`'${name}'`)));
}

/** Events that no file of the engine makes. The fold and comparisons only read them. */
export function unwrittenEvents(types: readonly string[], sources: readonly Source[]): string[] {
  const makers = sources.filter(
    ({ path }) => /^daemon\/(core|engine|kinds)\//.test(path) && !/\/evolve\w*\.ts$/.test(path),
  );
  const isMadeIn = (type: string, text: string) =>
    new RegExp(`(?<!case |[!=]== )'${type.replaceAll('.', '\\.')}'`).test(text);
  return types.filter((type) => !makers.some(({ text }) => isMadeIn(type, text)));
}

/** Tables, as `[name, variable]`, into which no file of the daemon inserts. */
export function unwrittenTables(tables: readonly (readonly [string, string])[], sources: readonly Source[]): string[] {
  const writers = sources.filter(({ path }) => path.startsWith('daemon/') && !path.startsWith('daemon/db/schema/'));
  const isWrittenBy = (name: string, variable: string, { text }: Source) =>
    new RegExp(`insert\\s+into\\s+"?${name}\\b`, 'i').test(text) ||
    (text.includes('.insert(') && new RegExp(`\\b${variable}\\b`).test(text));
  return tables
    .filter(([name, variable]) => !writers.some((source) => isWrittenBy(name, variable, source)))
    .map(([name]) => name);
}
