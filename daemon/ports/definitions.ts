import { dirname } from 'node:path';
import type { DefinitionResult } from '../../schemas/definitions/definitionFile.ts';
import {
  checkPersonaText,
  checkTemplateText,
  type Definitions as DefinitionFiles,
} from '../../schemas/definitions/definitions.ts';
import { personaWarnings } from '../../schemas/definitions/persona.ts';
import type { Registry } from '../../schemas/definitions/registry.ts';
import type { Problem } from '../../schemas/definitions/yamlFile.ts';
import type { DefinitionProblem, DefinitionVerdict } from '../../schemas/rpc/views/definition.ts';
import type { DefinitionsPort } from '../rpc/ports.ts';
import type { Definitions } from '../store/definitions.ts';
import { templateWarnings } from './templateWarnings.ts';

/** The part that needs no database: what `oneshot` answers without a daemon. */
export type Validators = Pick<DefinitionsPort, 'validateTemplate' | 'validatePersona' | 'validateArtifact'>;

export function createValidators(
  registry: Registry,
  files: Pick<DefinitionFiles, 'templates' | 'personas'>,
): Validators {
  return {
    async validateTemplate(text) {
      const result = checkTemplateText(text, files, registry);
      const warnings = result.ok ? templateWarnings(result.value.definition, files.personas) : [];
      return { ...verdictOf(result), ...(warnings.length > 0 && { warnings }) };
    },
    async validatePersona(text) {
      const result = checkPersonaText(text, files);
      const warnings = result.ok ? personaWarnings(result.value.definition) : [];
      return { ...verdictOf(result), ...(warnings.length > 0 && { warnings }) };
    },
    async validateArtifact(schema, text) {
      // An unknown schema is told even when the text is broken as well.
      registry.loadSchema(schema);
      const data = parse(text);
      if (!data.ok) return { schema, ok: false, errors: [{ path: '', message: data.fault }] };
      const verdict = registry.validateArtifact(schema, data.value);
      return { schema, ok: verdict.ok, errors: verdict.ok ? [] : verdict.errors };
    },
  };
}

/** Templates, personas and artifact schemas for the RPC handlers. */
export function createDefinitionsPort(
  definitions: Definitions,
  registry: Registry,
  files: DefinitionFiles,
): DefinitionsPort {
  return {
    ...createValidators(registry, files),
    async listTemplates() {
      const records = await definitions.listTemplates();
      return records.map(({ name, version, hash, template }) => ({
        name,
        version,
        hash,
        phases: template.phases.map((phase) => phase.key),
        roles: template.roles.map((role) => role.id),
      }));
    },
    async getTemplate(ref) {
      const { id, name, version, hash, template } = await definitions.getTemplate(ref);
      return { name, version, hash, definition: template, usedBy: await definitions.listRunsOf('template', id) };
    },
    async listPersonas() {
      const records = await definitions.listPersonas();
      return records.map(({ name, version, hash, persona }) => {
        const { backend, capabilities, maxRiskLevel, allowedRoles = null } = persona;
        return { name, version, hash, backend, capabilities, maxRiskLevel, allowedRoles };
      });
    },
    async getPersona(ref) {
      const { id, name, version, hash, persona } = await definitions.getPersona(ref);
      return { name, version, hash, definition: persona, usedBy: await definitions.listRunsOf('persona', id) };
    },
  };
}

/** Faulty files of the user, for those who look at the lists they are missing from. */
export function definitionProblems(problems: readonly Problem[], templatesDir: string): DefinitionProblem[] {
  return problems.map(({ file, path, message, line }) => ({
    kind: dirname(file) === templatesDir ? 'template' : 'persona',
    file,
    message: [...(line === undefined ? [] : [`line ${line}`]), ...(path === '' ? [] : [path]), message].join(': '),
  }));
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
