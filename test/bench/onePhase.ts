import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';

/** Writes a template of one phase, in which an agent of this backend writes a specification. */
export function writeOnePhase(
  { paths }: Place,
  { name, backend, gates = [] }: { name: string; backend: string; gates?: readonly string[] },
): void {
  mkdirSync(paths.userTemplates, { recursive: true });
  const template = {
    name,
    version: 1,
    roles: [{ id: 'worker', requiredCapabilities: ['spec_write'], preferredBackends: [backend] }],
    phases: [
      {
        key: 'spec',
        title: 'Specify',
        risk: 'low',
        roles: ['worker'],
        gates,
        expectedArtifact: { path: 'spec.json', schema: 'dev/spec@1' },
        instructions: 'Answer.\n\n{{requirements}}',
      },
    ],
  };
  // JSON is YAML.
  writeFileSync(join(paths.userTemplates, `${name}@1.yaml`), JSON.stringify(template));
}
