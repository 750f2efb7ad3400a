import { resolvePaths } from '../../schemas/files/paths.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { startRun } from '../helpers/drive.ts';

/** Its root script lies, its document names the wrong command, CI has the right one, and one suite is red. */
const LYING: Record<string, string> = {
  'package.json': '{ "name": "lying", "scripts": { "test": "echo all good; exit 1" } }\n',
  'README.md': '# Lying\n\nRun the tests:\n\n```sh\nmake check\n```\n',
  '.github/workflows/ci.yml':
    'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: sh unit-test.sh\n      - run: sh slow-test.sh\n',
  'unit-test.sh': 'test -f README.md\n',
  'slow-test.sh': 'exit 3\n',
};

export async function startFactory(own: TestDaemon, wish: string, more: Record<string, string> = {}): Promise<string> {
  const repo = own.repo();
  repo.write({ ...LYING, ...more });
  repo.git('add', '.');
  repo.git('commit', '-qm', 'Lie');
  return startRun(own, {
    repo: repo.dir,
    template: 'template-factory@2',
    requirements: wish,
    backend: { planner: 'fake', reviewer: 'fake', verifier: 'fake' },
  });
}

export const templatesOf = (own: TestDaemon) => resolvePaths(own.env).userTemplates;
