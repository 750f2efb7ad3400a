import { nameOf } from './candidate/paths.ts';

/** Files that name commands, but that devflow does not read. */
const BY_PATH: readonly (readonly [RegExp, string])[] = [
  [/^Jenkinsfile[^/]*$/, 'Jenkins'],
  [/^\.circleci\/config\.ya?ml$/, 'CircleCI'],
  [/^azure-pipelines[^/]*\.ya?ml$/, 'Azure Pipelines'],
  [/^\.travis\.yml$/, 'Travis CI'],
  [/^bitbucket-pipelines\.yml$/, 'Bitbucket Pipelines'],
  [/^\.drone\.yml$/, 'Drone'],
  [/^\.woodpecker(?:\.ya?ml|\/[^/]+)$/, 'Woodpecker'],
  [/^\.buildkite\/[^/]+\.ya?ml$/, 'Buildkite'],
  [/^\.?appveyor\.yml$/, 'AppVeyor'],
  [/^\.cirrus\.yml$/, 'Cirrus CI'],
  [/^\.teamcity\/[^/]+$/, 'TeamCity'],
  [/^\.github\/actions\/.*action\.ya?ml$/, 'an action of this repository'],
];
const BY_NAME: ReadonlyMap<string, string> = new Map([
  ['WORKSPACE', 'Bazel'],
  ['WORKSPACE.bazel', 'Bazel'],
  ['MODULE.bazel', 'Bazel'],
  ['CMakeLists.txt', 'CMake'],
  ['meson.build', 'Meson'],
  ['nx.json', 'Nx'],
  ['turbo.json', 'Turborepo'],
  ['lerna.json', 'Lerna'],
  ['rush.json', 'Rush'],
  ['justfile', 'just'],
  ['Justfile', 'just'],
  ['Taskfile.yml', 'Task'],
  ['Taskfile.yaml', 'Task'],
  ['noxfile.py', 'nox'],
  ['setup.py', 'setuptools'],
  ['Pipfile', 'Pipenv'],
  ['mix.exs', 'Mix'],
  ['build.sbt', 'sbt'],
  ['deno.json', 'Deno'],
  ['deno.jsonc', 'Deno'],
  ['Package.swift', 'Swift'],
  ['pubspec.yaml', 'Dart'],
  ['build.xml', 'Ant'],
  ['flake.nix', 'Nix'],
  ['.pre-commit-config.yaml', 'pre-commit'],
  ['.gitmodules', 'git submodules, which a probe does not have'],
]);

/** The tool of a file that devflow sees and does not read; undefined for any other file. */
export function unreadTool(path: string): string | undefined {
  return BY_NAME.get(nameOf(path)) ?? BY_PATH.find(([pattern]) => pattern.test(path))?.[1];
}
