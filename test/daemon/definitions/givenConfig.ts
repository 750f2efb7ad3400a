import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Paths, resolvePaths } from '../../../schemas/files/paths.ts';

export interface Config {
  root: string;
  paths: Paths;
  /** Writes a file below the configuration directory. */
  write(path: string, text: string): string;
}

/** A configuration directory of the test's own that holds nothing yet. */
export function givenConfig(): Config {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-definitions-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, 'home');
  mkdirSync(home);
  const paths = resolvePaths({ DEVFLOW_HOME: home });
  return {
    root,
    paths,
    write(path, text) {
      const file = join(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}

/** A template that needs one artifact. */
export function templateText(name: string, { title = 'Do it', schema = 'dev/implementation@1' } = {}): string {
  return `name: ${name}
version: 1
roles:
  - id: implementer
    requiredCapabilities: [code_edit]
    preferredBackends: [fake]
phases:
  - key: work
    title: ${title}
    risk: low
    roles: [implementer]
    expectedArtifact: { path: out.json, schema: ${schema} }
    instructions: |
      Do it.
      {{requirements}}
`;
}
