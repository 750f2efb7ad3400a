import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '../../../schemas/definitions/registry.ts';
import type { PromptEnvelope } from '../../../schemas/envelope.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const registry = createRegistry({ builtinDir: join(packageRoot(), 'schemas', 'artifacts') });

/** Whether the file that the prompt asks for matches its schema. */
export function isValid({ expectedArtifact, expectedSchema }: PromptEnvelope): boolean {
  return registry.validateArtifact(expectedSchema, JSON.parse(readFileSync(expectedArtifact, 'utf8'))).ok;
}
