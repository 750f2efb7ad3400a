import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  artifactPathInWorktree,
  fileSafe,
  packageRoot,
  reportPaths,
  resolvePaths,
  storedArtifactPath,
  workspaceRootOf,
  worktreePath,
} from '../../../schemas/files/paths.ts';

describe('resolvePaths', () => {
  test('DEVFLOW_HOME holds everything', () => {
    const paths = resolvePaths({ DEVFLOW_HOME: '/h', XDG_RUNTIME_DIR: '/run/user/1', HOME: '/home/a' });
    for (const path of Object.values(paths)) expect(path.startsWith('/h')).toBe(true);
    expect(paths.envFile).toBe('/h/.env');
  });

  test('without it uses the XDG directories, and ignores a relative one', () => {
    const paths = resolvePaths({ HOME: '/home/a', XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: 'rel', XDG_RUNTIME_DIR: '/r' });
    expect(paths.configFile).toBe('/c/devflow/config.yaml');
    expect(paths.dataDir).toBe('/home/a/.local/share/devflow');
    expect(paths.socketPath).toBe('/r/devflow/devflow.sock');
  });

  test('without a runtime directory the socket is in the state directory', () => {
    expect(resolvePaths({ HOME: '/home/a' }).socketPath).toBe('/home/a/.local/state/devflow/devflow.sock');
  });

  test('a home too long for a socket gets a short directory, the same each time and another for another home', () => {
    const long = `/h/${'x'.repeat(100)}`;
    const paths = resolvePaths({ DEVFLOW_HOME: long });
    expect(paths.socketPath).toMatch(/^\/tmp\/devflow-\d+-[0-9a-f]{8}\/devflow\.sock$/);
    expect(paths.postgresData).toBe(`${long}/data/postgres`);
    expect(resolvePaths({ DEVFLOW_HOME: long }).socketPath).toBe(paths.socketPath);
    expect(resolvePaths({ DEVFLOW_HOME: `${long}y` }).socketPath).not.toBe(paths.socketPath);
  });

  test.each(Array.from({ length: 60 }, (_, index) => index + 40))(
    'every socket fits for a home of %d bytes',
    (length) => {
      const paths = resolvePaths({ DEVFLOW_HOME: `/${'é'.repeat(length)}`.slice(0, length) });
      expect(Buffer.byteLength(join(paths.postgresSocketDir, '.s.PGSQL.65535'))).toBeLessThanOrEqual(103);
    },
  );
});

test('packageRoot finds this package', () => {
  expect(packageRoot()).toBe(join(import.meta.dirname, '../../..'));
});

describe('the layout of a run', () => {
  test('lane, artifacts and reports', () => {
    expect(worktreePath('/w', 'r')).toBe('/w/r/main');
    expect(artifactPathInWorktree('/w/r/main', 'spec', 0, 'spec.json')).toBe(
      '/w/r/main/.devflow/artifacts/spec/0/spec.json',
    );
    expect(storedArtifactPath('/w', 'r', 'review', 2, 'a/b.json', 'reviewer#0')).toBe(
      '/w/r/artifacts/review/2/reviewer.0/a/b.json',
    );
    expect(reportPaths('/w', 'r')).toEqual({ md: '/w/r/r.report.md', json: '/w/r/r.report.json' });
  });

  test('finds the workspace root of a worktree', () => {
    expect(workspaceRootOf(worktreePath('/a/w', 'r'))).toBe('/a/w');
    expect(workspaceRootOf(worktreePath('/', 'r', 'lane-1'))).toBe('');
  });

  test.each([
    ['/w', ['r', './a//b.json']],
    ['/w/', ['r', 'a/./b/']],
    ['/', ['r']],
    ['/w', ['', '.']],
  ])('names paths as node:path does: %s with %j', (root, parts) => {
    const [runId = '', relPath = ''] = parts;
    const expected = join(root, runId, 'artifacts', 'p', '1', relPath).replace(/\/$/, '');
    expect(storedArtifactPath(root, runId, 'p', 1, relPath)).toBe(expected);
  });

  test('no role id leaves its directory or meets another', () => {
    expect(fileSafe('../x')).toBe('___x');
    expect(fileSafe('reviewer#0')).not.toBe(fileSafe('reviewer-0'));
  });
});
