import { linesOf, lineWhere } from '../candidate/lines.ts';
import { directoryOf, inDirectory, nameOf, stepInto, upwards } from '../candidate/paths.ts';
import type { Candidate, Reader } from '../candidate/reader.ts';

/** A project, or the parent of several. Only names of modules are read from the XML. */
export const maven: Reader = {
  reads: (path) => nameOf(path) === 'pom.xml',
  read: ({ path, text, paths }) => {
    const cwd = directoryOf(path);
    if (
      cwd !== '.' &&
      upwards(cwd)
        .slice(1)
        .some((each) => paths.has(inDirectory(each, 'pom.xml')))
    ) {
      return { candidates: [] };
    }
    if (!/<project\b/.test(text)) throw new Error('it has no element <project>');
    const line = lineWhere(linesOf(text), (each) => each.includes('<artifactId>'));
    const mvn = paths.has(inDirectory(cwd, 'mvnw')) ? './mvnw' : 'mvn';
    const of = { cwd, path, line, source: 'manifest' as const };
    const candidates: Candidate[] = [
      { ...of, kind: 'package-manager', argv: [mvn, '--version'] },
      { ...of, kind: 'install', argv: [mvn, '-B', 'dependency:go-offline'] },
      { ...of, kind: 'build', argv: [mvn, '-B', 'compile'] },
      { ...of, kind: 'test', argv: [mvn, '-B', 'test'] },
    ];
    return { candidates, workspaces: modulesOf(text, cwd, paths).map((each) => ({ path: each, from: path })) };
  },
};

const MOST_MODULES = 200;

function modulesOf(text: string, cwd: string, paths: ReadonlySet<string>): string[] {
  const named = withoutComments(text)
    .split('<module>')
    .slice(1, MOST_MODULES + 1);
  return named.flatMap((each) => {
    const end = each.indexOf('</module>');
    const module = end < 0 ? undefined : stepInto(cwd, each.slice(0, end).trim());
    return module !== undefined && paths.has(inDirectory(module, 'pom.xml')) ? [module] : [];
  });
}

function withoutComments(text: string): string {
  return text
    .split('<!--')
    .map((part, at) => (at === 0 ? part : part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : ''))
    .join('');
}
