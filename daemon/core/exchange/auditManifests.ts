import type { Manifest } from '../../../schemas/contracts/handover/manifest/manifest.ts';
import type { FindMatch } from '../../../schemas/contracts/handover/progress/drift.ts';
import { normaliseGlob } from '../../../schemas/definitions/globRule.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import { counted, shorten } from '../../../schemas/text/phrases.ts';
import type { ManifestStep } from '../effect/effect.ts';
import { type CompiledGlob, compileGlob } from '../glob/compileGlob.ts';
import { matchesCompiled } from '../glob/matchesGlob.ts';

export type ManifestAudit = NonNullable<CommittedWork['audits']>[number];

/** Git's facts about the commits of a phase. Its paths have no `.` and no empty parts. */
export interface CommittedFacts {
  /** The files that differ, without those that devflow writes itself. */
  changed: readonly { path: string; action: 'create' | 'modify' | 'delete' }[];
  /** The paths of `readPaths` that the commit has, as files or directories. */
  existing: ReadonlySet<string>;
  /** The lines of files of `readPaths`. A file that is no text, or too large, is absent. */
  lines: ReadonlyMap<string, readonly string[]>;
  /** The first lines of the messages of all commits, and whether an agent made one of them. */
  subjects: readonly string[];
  hasAgentCommits: boolean;
  ignoreCase: boolean;
}

/** More comparisons of a path with a file would keep the daemon busy for seconds. */
const MOST_COMPARISONS = 5_000_000;
const MOST_FAULTS = 5;

/** Compares each step of a plan with what was committed. A pattern that devflow cannot match is a note. */
export function auditManifests(
  steps: readonly ManifestStep[],
  facts: CommittedFacts,
  findMatch: FindMatch,
): ManifestAudit[] {
  const paths = steps.reduce((sum, { manifest }) => sum + pathsIn(manifest).length, 0);
  const isTooMuch = paths * facts.changed.length > MOST_COMPARISONS;
  return steps.map(({ step, manifest }) => {
    const contents = contentAnswers(manifest, facts, findMatch);
    const faults = [
      ...(isTooMuch
        ? [
            `${counted(paths, 'path')} of the plan are too many to compare with ${counted(facts.changed.length, 'file')}`,
          ]
        : pathFaults(manifest, facts)),
      ...contents.filter(({ isFault }) => isFault).map(({ text }) => text),
    ];
    const message = messageAnswer(manifest, facts, findMatch);
    if (message?.isFault) faults.push(message.text);
    if (faults.length > 0) return { step, result: 'fail', faults: shortList(faults) };
    const notes = [...contents.map(({ text }) => text), ...(message ? [message.text] : []), ...syntaxNote(manifest)];
    return { step, result: notes.length > 0 ? 'pass-with-note' : 'pass', faults: shortList(notes) };
  });
}

/** The paths that an audit must read in the commit: those that should exist, and those whose content counts. */
export function readPaths(steps: readonly ManifestStep[]): { existing: string[]; contents: string[] } {
  const all = (of: (manifest: Manifest) => string[]) => [...new Set(steps.flatMap(({ manifest }) => of(manifest)))];
  return {
    existing: all(({ expected_paths }) => expected_paths.flatMap((path) => nameOf(path) ?? [])),
    contents: all(({ must_contain }) => must_contain.flatMap(({ path }) => nameOf(path) ?? [])),
  };
}

function pathsIn({ expected_paths, forbidden_paths }: Manifest): string[] {
  return [...expected_paths, ...forbidden_paths];
}

/** The path without `.` and empty parts; undefined if it cannot be one of the repository. */
function nameOf(path: string): string | undefined {
  const read = normaliseGlob(path);
  return 'glob' in read ? read.glob.replace(/\/\*\*$/, '') : undefined;
}

function pathFaults(manifest: Manifest, { changed, existing, ignoreCase }: CommittedFacts): string[] {
  const faults: string[] = [];
  const globOf = (path: string): CompiledGlob[] => {
    const read = normaliseGlob(path);
    if ('glob' in read) return [compileGlob(read.glob, { ignoreCase })];
    faults.push(`the path ${shorten(path)} ${read.fault}`);
    return [];
  };
  const isIn = (path: string, globs: readonly CompiledGlob[]) => matchesCompiled(path, globs) !== 'no';
  const made = changed.filter(({ action }) => action !== 'delete');
  const expected = manifest.expected_paths.flatMap((path) => {
    const globs = globOf(path);
    const isThere = existing.has(nameOf(path) ?? '') || made.some((file) => isIn(file.path, globs));
    if (globs.length > 0 && !isThere) faults.push(`${shorten(path)} does not exist`);
    return globs;
  });
  const isExpected = (path: string) => manifest.expected_paths.length === 0 || isIn(path, expected);
  const { length: count } = changed.filter(({ path }) => isExpected(path));
  if (count < manifest.min_file_count) {
    faults.push(`${counted(count, 'expected file')} changed, and at least ${manifest.min_file_count} must`);
  }
  for (const path of manifest.forbidden_paths) {
    const globs = globOf(path);
    const touched = changed.find((file) => isIn(file.path, globs));
    if (touched) faults.push(`${shorten(touched.path)} changed, and ${shorten(path)} is forbidden`);
  }
  return faults;
}

interface Answer {
  text: string;
  isFault: boolean;
}

function contentAnswers({ must_contain }: Manifest, { lines }: CommittedFacts, findMatch: FindMatch): Answer[] {
  return must_contain.flatMap(({ path, pattern }) => {
    const text = lines.get(nameOf(path) ?? '');
    if (!text) return [{ text: `${shorten(path)} is no text that devflow can read`, isFault: true }];
    const found = findMatch(pattern, text, 0);
    if (found === 'unchecked') return [unchecked(pattern)];
    return found < 0 ? [{ text: `${shorten(path)} has no line that matches ${shorten(pattern)}`, isFault: true }] : [];
  });
}

function unchecked(pattern: string): Answer {
  const why = 'devflow matches no lookaround, no backreference and nothing too large';
  return { text: `${shorten(pattern)} was not checked: ${why}`, isFault: false };
}

/** Agents need not commit. Then devflow's message is the only one, and it is no fault of theirs. */
function messageAnswer(
  { commit_message_pattern: pattern }: Manifest,
  { subjects, hasAgentCommits }: CommittedFacts,
  findMatch: FindMatch,
): Answer | undefined {
  const found = findMatch(pattern, subjects, 0);
  if (found === 'unchecked') return unchecked(pattern);
  if (found >= 0) return undefined;
  if (hasAgentCommits) return { text: `no commit message matches ${shorten(pattern)}`, isFault: true };
  return { text: 'devflow made the commit, so no message is of this step', isFault: false };
}

/** devflow runs no program on files of an agent here. */
function syntaxNote({ bash_syntax_check: files }: Manifest): string[] {
  return files.length === 0 ? [] : [`the syntax of ${counted(files.length, 'bash file')} was not checked`];
}

function shortList(faults: readonly string[]): string[] {
  if (faults.length <= MOST_FAULTS) return [...faults];
  return [...faults.slice(0, MOST_FAULTS), `and ${counted(faults.length - MOST_FAULTS, 'more fault')}`];
}
