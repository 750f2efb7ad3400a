import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Directories below the person's home in which tools of the machine keep what they need. */
const TOOLS: Readonly<Record<string, string>> = {
  RUSTUP_HOME: '.rustup',
  GOMODCACHE: 'go/pkg/mod',
  PYENV_ROOT: '.pyenv',
  RBENV_ROOT: '.rbenv',
  NVM_DIR: '.nvm',
  VOLTA_HOME: '.volta',
  ASDF_DATA_DIR: '.asdf',
  MISE_DATA_DIR: '.local/share/mise',
  PYTHONUSERBASE: '.local',
  UV_PYTHON_INSTALL_DIR: '.local/share/uv/python',
  NUGET_PACKAGES: '.nuget/packages',
  PLAYWRIGHT_BROWSERS_PATH: '.cache/ms-playwright',
  CYPRESS_CACHE_FOLDER: '.cache/Cypress',
  GRADLE_RO_DEP_CACHE: '.gradle/caches',
};

/**
 * The environment of a command with a home of its own. Files that programs left in the person's home do not reach it.
 */
export function ownHome(home: string): Record<string, string> {
  const real = homedir();
  const tools = Object.entries(TOOLS).flatMap(([name, below]) => {
    const path = join(real, below);
    return existsSync(path) ? [[name, path] as const] : [];
  });
  return {
    ...Object.fromEntries(tools),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    // Otherwise `tmux kill-server` would end the person's.
    TMUX_TMPDIR: home,
    CARGO_HOME: join(home, '.cargo'),
    MAVEN_USER_HOME: join(home, '.m2'),
    GRADLE_USER_HOME: join(home, '.gradle'),
  };
}

/** A home with nothing of the person, except packages that were downloaded before. */
export async function makeHome(home: string): Promise<void> {
  await mkdir(join(home, '.cargo'), { recursive: true, mode: 0o700 });
  for (const name of ['registry', 'git']) {
    const real = join(homedir(), '.cargo', name);
    if (existsSync(real)) await symlink(real, join(home, '.cargo', name));
  }
}
