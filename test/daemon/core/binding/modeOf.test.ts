import { join } from 'node:path';
import { expect, test } from 'vitest';
import { modeOf } from '../../../../daemon/core/binding/binding.ts';
import { loadDefinitions } from '../../../../schemas/definitions/definitions.ts';
import { permissionModeFor } from '../../../../schemas/definitions/persona.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { Capability, RiskLevel } from '../../../../schemas/enums.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';

/** By risk; then by capabilities: no changes to files, edit, run, or both. */
const TABLE = {
  low: { neither: 'read', edits: 'read', runs: 'read', both: 'read' },
  medium: { neither: 'read', edits: 'edit', runs: 'read', both: 'edit' },
  high: { neither: 'read', edits: 'edit', runs: 'execute', both: 'execute' },
} as const;

const EDITS: readonly string[] = ['code_edit', 'test_first_development'];
const RUNS: readonly string[] = ['command_execute', 'backtest_run'];

/** Every possible set of capabilities. */
const sets = Array.from({ length: 2 ** Capability.options.length }, (_, bits) =>
  Capability.options.filter((_each, nth) => bits & (1 << nth)),
);

test.each(RiskLevel.options)('%s risk: what each set of capabilities leads to', (maxRiskLevel) => {
  for (const capabilities of sets) {
    const edits = capabilities.some((each) => EDITS.includes(each));
    const runs = capabilities.some((each) => RUNS.includes(each));
    const kind = edits && runs ? 'both' : edits ? 'edits' : runs ? 'runs' : 'neither';
    const mode = permissionModeFor({ maxRiskLevel, capabilities });
    if (mode !== TABLE[maxRiskLevel][kind])
      expect.fail(`${maxRiskLevel} with ${capabilities.join(', ')}: ${mode}, not ${TABLE[maxRiskLevel][kind]}`);
  }
});

test('of the built-in personas, planners read and implementers execute', () => {
  const schemas = join(packageRoot(), 'schemas');
  const builtin = { templates: join(schemas, 'templates'), personas: join(schemas, 'personas') };
  const registry = createRegistry({ builtinDir: join(schemas, 'artifacts') });
  const modes = new Map(
    loadDefinitions({ builtin, schemas: registry }).personas.map(({ name, definition }) => [
      name,
      permissionModeFor(definition),
    ]),
  );
  for (const backend of ['claude', 'codex', 'gemini', 'opencode', 'fake']) {
    expect([backend, modes.get(`planner-${backend}`)]).toEqual([backend, 'read']);
    expect([backend, modes.get(`implementer-${backend}`)]).toEqual([backend, 'execute']);
  }
});

test('a binding without a mode means what its run had when there was none', () => {
  expect(modeOf({})).toBe('execute');
  expect(modeOf({ permissionMode: 'read' })).toBe('read');
});
