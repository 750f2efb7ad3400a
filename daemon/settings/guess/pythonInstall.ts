import { parse } from 'smol-toml';
import { defined } from '../../../schemas/defined.ts';
import { orElse } from '../../../schemas/orElse.ts';
import { inDirectory, nameOf } from '../../discovery/candidate/paths.ts';
import { recordOf, textsIn } from '../../discovery/candidate/reader.ts';
import type { Ecosystem, GuessInput, Install } from './install.ts';

/** Lists of what the tests need, the best first. */
const TEST_LISTS = [
  /^requirements[-_.](?:tests?|testing|dev|develop|development|ci)\.txt$/,
  /^(?:tests?|testing|dev)[-_]requirements\.txt$/,
  /^requirements\/(?:tests?|testing|dev|develop|development|ci)\.txt$/,
  /^tests?\/requirements\.txt$/,
];
/** Extras and groups with what the tests need, the best first. */
const TEST_GROUPS = ['test', 'tests', 'testing', 'dev', 'develop', 'development'];
const MOST_REQUIREMENTS = 60;

/** Environments in the worktree, also for tools that keep them elsewhere. */
const IN_WORKTREE = { POETRY_VIRTUALENVS_IN_PROJECT: 'true', PIPENV_VENV_IN_PROJECT: '1' };

export const pythonInstall: Ecosystem = {
  manifests: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'uv.lock', 'poetry.lock'],
  installOf(directory, input) {
    const files = filesIn(directory, input);
    return byTool(files, input) ?? byPip(files, input);
  },
};

interface Files {
  directory: string;
  /** Tables of pyproject.toml. */
  manifest: Record<string, unknown>;
  has(name: string): boolean;
  text(name: string): string;
  at(name: string): string;
}

function filesIn(directory: string, { paths, texts }: GuessInput): Files {
  const at = (name: string) => inDirectory(directory, name);
  return {
    directory,
    manifest: orElse(() => recordOf(parse(texts.get(at('pyproject.toml')) ?? '')), {}),
    has: (name) => paths.has(at(name)),
    text: (name) => texts.get(at(name)) ?? '',
    at,
  };
}

/** The tool whose lock file or table is there, if this machine has it. */
function byTool(files: Files, { has }: GuessInput): Install | undefined {
  const { directory, manifest } = files;
  const tools = recordOf(manifest.tool);
  const inPlace = (option: string) => (directory === '.' ? [] : [option, directory]);
  const installed = (command: string[], lock: string, env?: Record<string, string>): Install => {
    const because = files.has(lock) ? lock : 'pyproject.toml';
    return {
      commands: [command],
      because: [files.at(because)],
      again: [files.at(because)],
      programs: files.at('.venv/bin'),
      ...defined({ env, installed: files.has(lock) ? installedBy(files.at(lock), files) : undefined }),
    };
  };
  if (has('uv') && (files.has('uv.lock') || (tools.uv !== undefined && !files.has('poetry.lock')))) {
    const frozen = files.has('uv.lock') ? ['--frozen'] : [];
    return installed(['uv', 'sync', ...inPlace('--directory'), ...frozen, ...extraOf(manifest)], 'uv.lock');
  }
  if (has('poetry') && (files.has('poetry.lock') || tools.poetry !== undefined)) {
    const { POETRY_VIRTUALENVS_IN_PROJECT } = IN_WORKTREE;
    const command = ['poetry', ...inPlace('--directory'), 'install', '--no-interaction'];
    return installed(command, 'poetry.lock', { POETRY_VIRTUALENVS_IN_PROJECT });
  }
  if (has('pdm') && files.has('pdm.lock')) return installed(['pdm', 'sync', ...inPlace('--project')], 'pdm.lock');
  if (has('pipenv') && files.has('Pipfile.lock') && directory === '.') {
    const { PIPENV_VENV_IN_PROJECT } = IN_WORKTREE;
    return installed(['pipenv', 'sync', '--dev'], 'Pipfile.lock', { PIPENV_VENV_IN_PROJECT });
  }
  return undefined;
}

/** uv installs the group `dev` by itself. */
function extraOf(manifest: Record<string, unknown>): string[] {
  if (Object.keys(recordOf(manifest['dependency-groups'])).some((group) => TEST_GROUPS.includes(group))) return [];
  const extra = extraIn(recordOf(recordOf(manifest.project)['optional-dependencies']));
  return extra === undefined ? [] : ['--extra', extra];
}

/** An environment in the worktree, with the project itself as it is there. */
function byPip(files: Files, input: GuessInput): Install | undefined {
  const lists = listsIn(files, input);
  const project = projectIn(files);
  if (lists.length === 0 && project === undefined) return undefined;
  const python = files.at('.venv/bin/python');
  const what = [
    ...lists.flatMap((list) => ['-r', list]),
    ...(project ? ['-e', project.extra === undefined ? files.directory : `${files.directory}[${project.extra}]`] : []),
    ...groupOf(files.manifest),
  ];
  const says = [...lists, ...(project ? [files.at(project.file)] : [])];
  const namesPytest = [
    ...lists.map((list) => requirementsIn(list, input)),
    ...requirementsOfProject(files, project),
  ].some((text) => /\bpytest\b(?!-)/.test(text));
  if (!namesPytest && hasTests(files.directory, input)) what.push('pytest');
  return {
    commands: [
      ['python3', '-m', 'venv', files.at('.venv')],
      [python, '-m', 'pip', 'install', ...what],
    ],
    because: says.slice(0, 2),
    again: says,
    programs: files.at('.venv/bin'),
    ...defined({ installed: lists[0] === undefined ? undefined : installedBy(lists[0], files) }),
  };
}

/** A copied environment names the worktree where it named the checkout. */
function installedBy(lock: string, { at }: Files): Install['installed'] {
  return { lock, directories: [at('.venv')] };
}

/** The list of the tests, and the one of the program. */
function listsIn({ directory, at, has }: Files, { paths }: GuessInput): string[] {
  const prefix = directory === '.' ? '' : `${directory}/`;
  const below = [...paths].filter((path) => path.startsWith(prefix) && path.endsWith('.txt'));
  const ofTests = TEST_LISTS.flatMap((pattern) => below.filter((path) => pattern.test(path.slice(prefix.length))));
  return [...(has('requirements.txt') ? [at('requirements.txt')] : []), ...ofTests.slice(0, 1)];
}

/** A project that pip can install, and its extra for tests. */
function projectIn(files: Files): { file: string; extra: string | undefined } | undefined {
  const { manifest, has, text } = files;
  const project = recordOf(manifest.project);
  const hasProject = manifest['build-system'] !== undefined || manifest.project !== undefined;
  if (hasProject && (manifest.project !== undefined || recordOf(manifest.tool).poetry !== undefined)) {
    const extras = {
      ...recordOf(project['optional-dependencies']),
      ...recordOf(recordOf(recordOf(manifest.tool).poetry).extras),
    };
    return { file: 'pyproject.toml', extra: extraIn(extras) };
  }
  if (has('setup.cfg') && /^\[metadata\]/m.test(text('setup.cfg')))
    return { file: 'setup.cfg', extra: extraIn(extrasOfSetup(text('setup.cfg'))) };
  if (has('setup.py')) return { file: 'setup.py', extra: extraIn(extrasOfSetup(text('setup.py'))) };
  return hasProject ? { file: 'pyproject.toml', extra: undefined } : undefined;
}

/** The requirements that pip installs with a project. A table of settings for pytest is no requirement. */
function requirementsOfProject({ manifest, text }: Files, project: ReturnType<typeof projectIn>): string[] {
  if (project === undefined) return groupOf(manifest);
  const { dependencies, 'optional-dependencies': extras } = recordOf(manifest.project);
  const ofExtra = project.extra === undefined ? [] : textsIn(recordOf(extras)[project.extra]);
  const older = [text('setup.py'), text('setup.cfg').replaceAll(/^\[.*$/gm, '')];
  const poetry = JSON.stringify(recordOf(manifest.tool).poetry ?? '');
  return [...textsIn(dependencies), ...ofExtra, ...groupOf(manifest), ...older, poetry];
}

/** By its name, else the one that names pytest. */
function extraIn(extras: Readonly<Record<string, unknown>>): string | undefined {
  const named = TEST_GROUPS.find((name) => extras[name] !== undefined);
  return named ?? Object.keys(extras).find((name) => textsIn(extras[name]).some(isPytest));
}

function isPytest(requirement: string): boolean {
  return /^pytest\b(?!-)/.test(requirement);
}

/** Keys of `extras_require`, in setup.cfg or setup.py. Their lists are not read. */
function extrasOfSetup(text: string): Record<string, unknown> {
  const at = text.search(/extras_require/);
  if (at < 0) return {};
  const lines = text.slice(at, at + 5000).matchAll(/(?:^|[{,])\s*["']?([A-Za-z][\w-]*)["']?\s*[=:]/gm);
  return Object.fromEntries([...lines].map((match) => [match[1] ?? '', []]));
}

/** The requirements of a group, written out: older versions of pip know no groups. */
function groupOf(manifest: Record<string, unknown>): string[] {
  const groups = recordOf(manifest['dependency-groups']);
  const name = extraIn(groups);
  return name === undefined ? [] : requirementsOf(groups, name, 0).slice(0, MOST_REQUIREMENTS);
}

function requirementsOf(groups: Record<string, unknown>, name: string, depth: number): string[] {
  const group = groups[name];
  if (!Array.isArray(group) || depth > 5) return [];
  return group.flatMap((each) => {
    const included = recordOf(each)['include-group'];
    if (typeof included === 'string') return requirementsOf(groups, included, depth + 1);
    return textsIn(each).filter((text) => !text.startsWith('-'));
  });
}

function requirementsIn(path: string, { texts }: GuessInput): string {
  return texts.get(path) ?? '';
}

/** True if a directory has tests that pytest would find. */
export function hasTests(directory: string, { paths }: Pick<GuessInput, 'paths'>): boolean {
  const prefix = directory === '.' ? '' : `${directory}/`;
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue;
    if (/^(?:test_.*|.*_test)\.py$/.test(nameOf(path))) return true;
  }
  return false;
}
