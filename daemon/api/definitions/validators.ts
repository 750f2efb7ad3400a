import type { DefinitionResult } from '../../../schemas/definitions/definitionFile.ts';
import { checkPersonaText, checkTemplateText, type Definitions } from '../../../schemas/definitions/definitions.ts';
import { personaWarnings } from '../../../schemas/definitions/persona.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { DefinitionVerdict } from '../../../schemas/rpc/views/definition.ts';
import { checkArtifact } from '../../harness/artifact/checkArtifact.ts';
import { templateWarnings } from './templateWarnings.ts';

/** Checks texts without a database, so that `oneshot` answers without a daemon. */
export interface Validators {
  validateTemplate(text: string): DefinitionVerdict;
  validatePersona(text: string): DefinitionVerdict;
  /** Throws when there is no such schema. */
  validateArtifact(schema: string, text: string): RpcResult<'artifact.validate'>;
}

export function createValidators(registry: Registry, files: Pick<Definitions, 'templates' | 'personas'>): Validators {
  return {
    validateTemplate(text) {
      const result = checkTemplateText(text, files, registry);
      const warnings = result.ok ? templateWarnings(result.value.definition, files.personas) : [];
      return { ...verdictOf(result), ...(warnings.length > 0 && { warnings }) };
    },
    validatePersona(text) {
      const result = checkPersonaText(text, files);
      const warnings = result.ok ? personaWarnings(result.value.definition) : [];
      return { ...verdictOf(result), ...(warnings.length > 0 && { warnings }) };
    },
    validateArtifact(schema, text) {
      // Report an unknown schema even when the text is broken too.
      registry.loadSchema(schema);
      const data = parse(text);
      if (!data.ok) return { schema, ok: false, errors: [{ path: '', message: data.fault }] };
      const verdict = checkArtifact(registry, schema, data.value);
      return { schema, ok: verdict.ok, errors: verdict.ok ? [] : verdict.errors };
    },
  };
}

function verdictOf<T>(result: DefinitionResult<T>): DefinitionVerdict {
  if (result.ok) {
    const { name, version, hash } = result.value;
    return { ok: true, errors: [], name, version, hash };
  }
  const errors = result.problems.map(({ path, message, line }) => ({
    path,
    message: line === undefined ? message : `line ${line}: ${message}`,
  }));
  return { ok: false, errors, name: null, version: null, hash: null };
}

function parse(text: string): { ok: true; value: unknown } | { ok: false; fault: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: `not JSON: ${(error as Error).message}` };
  }
}
