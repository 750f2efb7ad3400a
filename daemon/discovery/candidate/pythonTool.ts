import { directoryOf, inDirectory, upwards } from './paths.ts';
import type { Candidate, ReadFile } from './reader.ts';

/** The tool that starts the commands of a Python project. */
export interface PythonTool {
  name: 'uv' | 'poetry' | 'pip';
  locked: boolean;
  install: string[];
  /** The words that run a module or program of the project. */
  run(program: string, ...args: string[]): string[];
}

/** The nearest lock file decides, then the tables of pyproject.toml, then pip. */
export function pythonTool({ path, paths }: ReadFile, tables: Readonly<Record<string, unknown>> = {}): PythonTool {
  const cwd = directoryOf(path);
  const has = (name: string) => upwards(cwd).some((each) => paths.has(inDirectory(each, name)));
  const here = (name: string) => paths.has(inDirectory(cwd, name));
  if (has('uv.lock') || (tables.uv !== undefined && !has('poetry.lock'))) {
    const locked = has('uv.lock');
    const install = ['uv', 'sync', ...(locked ? ['--frozen'] : [])];
    return { name: 'uv', locked, install, run: (program, ...args) => ['uv', 'run', program, ...args] };
  }
  if (has('poetry.lock') || tables.poetry !== undefined) {
    const install = ['poetry', 'install', '--no-interaction'];
    return {
      name: 'poetry',
      locked: has('poetry.lock'),
      install,
      run: (program, ...args) => ['poetry', 'run', program, ...args],
    };
  }
  const requirements = [
    'requirements-dev.txt',
    'requirements_dev.txt',
    'dev-requirements.txt',
    'requirements.txt',
  ].find(here);
  const what = requirements === undefined ? ['-e', '.'] : ['-r', requirements];
  return {
    name: 'pip',
    locked: false,
    install: ['python', '-m', 'pip', 'install', ...what],
    run: (program, ...args) => ['python', '-m', program, ...args],
  };
}

/** The commands of one place of a Python project. */
export function pythonCandidate(
  { path }: ReadFile,
  { locked }: Pick<PythonTool, 'locked'>,
  kind: Candidate['kind'],
  argv: string[],
  line: number,
): Candidate {
  return { kind, argv, cwd: directoryOf(path), path, line, source: 'manifest', locked };
}
