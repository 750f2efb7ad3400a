import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds `bin/devflow`, `dist/` and the tmux plugin as built before the tests. */
    built: string;
  }
}

const ROOT = join(import.meta.dirname, '../..');

/** Builds once and gives the tests a copy, so that another build during the tests does not disturb them. */
export default function setup(project: TestProject): () => void {
  execFileSync(process.execPath, ['build/build.ts'], { cwd: ROOT, stdio: 'inherit' });
  // Below node_modules, so that module resolution finds the package's own files and its dependencies.
  const parent = join(ROOT, 'node_modules', '.tmp');
  mkdirSync(parent, { recursive: true });
  const built = mkdtempSync(join(parent, 'e2e-'));
  for (const name of ['bin', 'dist', 'devflow.tmux', join('tmux', 'plugin')])
    cpSync(join(ROOT, name), join(built, name), { recursive: true });
  project.provide('built', built);
  return () => rmSync(built, { recursive: true, force: true });
}
