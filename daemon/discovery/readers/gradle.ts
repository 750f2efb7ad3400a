import { linesOf, lineWhere } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf, stepInto, upwards } from '../candidate/paths.ts';
import type { Candidate, Reader } from '../candidate/reader.ts';

const BUILD = ['build.gradle', 'build.gradle.kts'];
const SETTINGS = ['settings.gradle', 'settings.gradle.kts'];

/** A build script is a program, so only its place counts: `test` and `assemble` belong to every Java project. */
export const gradle: Reader = {
  reads: (path) => [...BUILD, ...SETTINGS].includes(nameOf(path)),
  read: ({ path, text, paths }) => {
    const cwd = directoryOf(path);
    const isIn = (directory: string, names: readonly string[]) =>
      names.some((name) => paths.has(inDirectory(directory, name)));
    const isSettings = SETTINGS.includes(nameOf(path));
    const workspaces = isSettings ? includedIn(text, cwd, (each) => isIn(each, BUILD)) : [];
    const isMember =
      cwd !== '.' &&
      upwards(cwd)
        .slice(1)
        .some((each) => isIn(each, [...BUILD, ...SETTINGS]));
    // With both files the settings name the whole build.
    if (isMember || (!isSettings && isIn(cwd, SETTINGS))) return { candidates: [] };
    const line = lineWhere(linesOf(text), (each) => /^\s*(?:rootProject\b|plugins\b|apply\b)/.test(each));
    const run = paths.has(inDirectory(cwd, 'gradlew')) ? './gradlew' : 'gradle';
    const locked = paths.has(inDirectory(cwd, 'gradle.lockfile'));
    const of = { cwd, path, line, source: 'manifest' as const, locked };
    const candidates: Candidate[] = [
      { ...of, kind: 'package-manager', argv: [run, '--version'] },
      { ...of, kind: 'build', argv: [run, 'assemble'] },
      { ...of, kind: 'test', argv: [run, 'test'] },
    ];
    return { candidates, workspaces: workspaces.map((each) => ({ path: each, from: path })) };
  },
};

const MOST_PROJECTS = 200;

function includedIn(text: string, cwd: string, isProject: (directory: string) => boolean): string[] {
  const included = linesOf(text).filter(
    (line) => /^\s*include\b/.test(line) || /^\s*["']:?[\w:.-]+["'],?\s*\)?$/.test(line),
  );
  const names = included.flatMap((line) =>
    [...line.matchAll(/["']:?([\w:.-]{1,200})["']/g)].map((match) => match[1] ?? ''),
  );
  return names.slice(0, MOST_PROJECTS).flatMap((name) => {
    const directory = stepInto(cwd, name.replaceAll(':', '/'));
    return directory !== undefined && isProject(directory) ? [directory] : [];
  });
}
