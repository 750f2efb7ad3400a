import type { DefinitionResult } from '../../../schemas/definitions/definitionFile.ts';
import {
  checkPersonaText,
  checkTemplateText,
  type Definitions,
  type Loaded,
} from '../../../schemas/definitions/definitions.ts';
import { absentRoles } from '../../../schemas/definitions/lint/absentRoles.ts';
import { type Persona, personaWarnings } from '../../../schemas/definitions/persona.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import { possiblyShared } from '../../../schemas/definitions/sharedWorktree.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { DefinitionVerdict } from '../../../schemas/rpc/views/definition.ts';
import type { DefinitionSource } from '../../../schemas/rpc/views/lint.ts';
import { checkBytes } from '../../artifacts/checkArtifact.ts';
import type { Backends } from '../../core/binding/candidates.ts';
import { rehearseInParts } from '../../core/rehearse/rehearse.ts';
import { inParts } from '../../system/inParts.ts';
import { candidatesFor, lintKnowledge } from './lintKnowledge.ts';
import { sourceText } from './sourceText.ts';

/** Checks texts without a database, so that `oneshot` answers without a daemon. */
export interface Validators {
  validateTemplate(text: string): DefinitionVerdict;
  validatePersona(text: string): DefinitionVerdict;
  /** `schemas`: artifact schemas that come with it. */
  rehearseTemplate(source: DefinitionSource, schemas: readonly string[]): Promise<RpcResult<'template.rehearse'>>;
  /** Throws when there is no such schema. */
  validateArtifact(schema: string, text: string): RpcResult<'artifact.validate'>;
}

export function createValidators(
  registry: Registry,
  current: () => Pick<Definitions, 'templates' | 'personas'>,
  backends?: Backends,
): Validators {
  return {
    validateTemplate(text) {
      const files = current();
      const result = checkTemplateText(text, files, registry);
      const warnings = result.ok ? templateWarnings(result.value.definition, files.personas) : [];
      return { ...verdictOf(result), ...(warnings.length > 0 && { warnings }) };
    },
    validatePersona(text) {
      const result = checkPersonaText(text, current());
      const warnings = result.ok ? personaWarnings(result.value.definition) : [];
      return { ...verdictOf(result), ...(warnings.length > 0 && { warnings }) };
    },
    async rehearseTemplate(source, schemas) {
      const { text } = sourceText(source, current(), 'template');
      const schemaFault = (id: string) => (schemas.includes(id) ? undefined : registry.schemaFault(id));
      const result = checkTemplateText(text, current(), { schemaFault });
      const verdict = verdictOf(result);
      if (!result.ok) return { verdict, text, roles: [], rehearsal: null };
      const { definition } = result.value;
      const absent = absentRoles(definition, lintKnowledge(registry, current(), backends));
      const rehearsal = await inParts(rehearseInParts(definition, absent));
      return { verdict, text, roles: definition.roles.map(({ id }) => id), rehearsal };
    },
    validateArtifact(schema, text) {
      const verdict = checkBytes(registry, schema, Buffer.from(text));
      if (!verdict.ok) return { schema, ok: false, errors: verdict.errors };
      const { warnings } = verdict;
      return { schema, ok: true, errors: [], ...(warnings.length > 0 ? { warnings } : {}) };
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

/** Reasons for which devflow may refuse a run of this template, depending on its personas. */
function templateWarnings(template: Template, personas: readonly Loaded<Persona>[]): ValidationError[] {
  return possiblyShared(template, (role) =>
    candidatesFor(role, template, personas)
      .filter(({ mayEdit }) => mayEdit)
      .map(({ label }) => label),
  ).map(({ path, message }) => ({ path: path.join('.'), message }));
}
