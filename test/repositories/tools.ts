import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { has, output } from './shell.ts';

export type Tool = 'npm' | 'pnpm' | 'yarn' | 'python3' | 'uv' | 'go' | 'cargo' | 'mvn' | 'ruby' | 'php';

/** Tools that the tier brings itself, in a directory of its own. */
const BROUGHT: Partial<Record<Tool, { by: 'npm' | 'pip'; spec: string }>> = {
  pnpm: { by: 'npm', spec: 'pnpm@9.15.9' },
  yarn: { by: 'npm', spec: 'yarn@1.22.22' },
  uv: { by: 'pip', spec: 'uv==0.11.3' },
};

/** Programs of the machine, and the packages of Debian that have them. */
const OF_MACHINE: Partial<Record<Tool, { programs: string[]; packages: string[] }>> = {
  go: { programs: ['go'], packages: ['golang-go'] },
  cargo: { programs: ['cargo'], packages: ['cargo'] },
  mvn: { programs: ['mvn', 'java'], packages: ['maven', 'default-jdk-headless'] },
  ruby: {
    programs: ['ruby', 'bundle', 'rspec'],
    packages: 'ruby bundler rake ruby-rspec ruby-test-unit ruby-appraisal ruby-fakefs ruby-nokogiri ruby-sqlite3'.split(
      ' ',
    ),
  },
  php: {
    programs: ['php', 'composer', 'phpunit', 'phpcs'],
    packages: ['php-cli', 'php-xml', 'php-mbstring', 'composer', 'phpunit', 'php-codesniffer'],
  },
};

/** Brings a tool, and returns the directory of its programs; undefined if `PATH` has it. Throws a sentence if it cannot. */
export async function bringTool(cache: string, tool: Tool, mayInstall: boolean): Promise<string | undefined> {
  const brought = BROUGHT[tool];
  if (brought) return bring(cache, brought);
  const { programs, packages } = OF_MACHINE[tool] ?? { programs: [tool], packages: [] };
  const missing = programs.filter((program) => !has(program));
  if (missing.length === 0) return undefined;
  const install = `apt-get install ${packages.join(' ')}`;
  if (!mayInstall || packages.length === 0)
    throw new Error(`there is no ${missing[0]} here${packages.length > 0 ? `; ${install}, or add --install` : ''}`);
  await output('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages]);
  return undefined;
}

async function bring(cache: string, { by, spec }: { by: 'npm' | 'pip'; spec: string }): Promise<string> {
  const place = join(cache, 'tools', spec.replace(/[@=]+/, '-'));
  const programs = join(place, by === 'npm' ? 'node_modules/.bin' : 'bin');
  if (existsSync(place)) return programs;
  mkdirSync(join(cache, 'tools'), { recursive: true });
  const draft = mkdtempSync(join(cache, '.draft-'));
  try {
    if (by === 'npm')
      await output('npm', ['install', '--prefix', draft, '--no-audit', '--no-fund', '--loglevel=error', spec]);
    // A wheel has the program itself, so it works in any directory.
    else await output('python3', ['-m', 'pip', 'install', '--quiet', '--only-binary=:all:', '--target', draft, spec]);
    if (!existsSync(place)) renameSync(draft, place);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return programs;
}

/**
 * The home of the person who starts the runs. It keeps what tools download, so that only the first run of the tier is slow.
 */
export function makeHome(cache: string, rustup: string): string {
  const home = join(cache, 'home');
  mkdirSync(join(home, '.composer'), { recursive: true });
  const real = process.env.HOME ?? '';
  // How this machine reaches its registries.
  for (const each of ['.npmrc', '.config/pip', '.cargo/config.toml', '.bundle/config']) {
    const [from, to] = [join(real, each), join(home, each)];
    if (!existsSync(from) || existsSync(to)) continue;
    mkdirSync(join(to, '..'), { recursive: true });
    symlinkSync(from, to);
  }
  if (existsSync(rustup) && !existsSync(join(home, '.rustup'))) symlinkSync(rustup, join(home, '.rustup'));
  writeFileSync(join(home, '.composer/config.json'), JSON.stringify(composerRepositories(cache)));
  return home;
}

/** Tools of Debian as packages of Composer, for a machine that does not reach the registry of PHP. */
const FOR_COMPOSER = [
  { name: 'phpunit/phpunit', version: '9.6.7', program: 'phpunit' },
  { name: 'squizlabs/php_codesniffer', version: '3.7.1', program: 'phpcs' },
];

function composerRepositories(cache: string): Record<string, unknown> {
  const repositories = FOR_COMPOSER.map(({ name, version, program }) => {
    const directory = join(cache, 'tools', `composer-${program}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'composer.json'), JSON.stringify({ name, version, bin: [program] }));
    writeFileSync(join(directory, program), `#!/usr/bin/env php\n<?php require '/usr/bin/${program}';\n`);
    chmodSync(join(directory, program), 0o755);
    return { type: 'path', url: directory, options: { symlink: false } };
  });
  return { repositories: [...repositories, { 'packagist.org': false }] };
}
