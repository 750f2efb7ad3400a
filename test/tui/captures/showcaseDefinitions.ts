import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Persona, personaHash } from '../../../schemas/definitions/persona.ts';
import { aboutTemplate } from '../../../schemas/definitions/shippedTemplates.ts';
import { Template, templateHash } from '../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const read = (path: string) => parse(readFileSync(join(packageRoot(), 'schemas', path), 'utf8'));

/** Published files, which never change; by their names, so that a new one changes no capture. */
const templates = ['development@1', 'quick-change@1'].map((name) => Template.parse(read(`templates/${name}.yaml`)));
const personas = ['planner-claude@1', 'planner-codex@1', 'implementer-claude@1', 'implementer-codex@1'].map((name) =>
  Persona.parse(read(`personas/${name}.yaml`)),
);

/** By method, and by method and name. */
export function definitionAnswers(usedBy: string): Record<string, unknown> {
  const answers: Record<string, unknown> = {
    'template.list': templates.map((each) => ({
      name: each.name,
      version: each.version,
      hash: templateHash(each),
      about: aboutTemplate(each),
      lastUsedAt: each.name === 'development' ? '2026-03-01T11:00:00.000Z' : null,
      phases: each.phases.map(({ key }) => key),
      roles: each.roles.map(({ id }) => id),
    })),
    'persona.list': personas.map((each) => {
      const { name, version, backend, capabilities, maxRiskLevel } = each;
      return { name, version, hash: personaHash(each), backend, capabilities, maxRiskLevel, allowedRoles: null };
    }),
  };
  for (const definition of templates) {
    const { name, version } = definition;
    const used = version === 1 && name === 'development' ? [usedBy] : [];
    answers[`template.get ${name}@${version}`] = {
      name,
      version,
      hash: templateHash(definition),
      definition,
      usedBy: used,
    };
  }
  for (const definition of personas) {
    const { name, version } = definition;
    answers[`persona.get ${name}@${version}`] = {
      name,
      version,
      hash: personaHash(definition),
      definition,
      usedBy: [usedBy],
    };
  }
  return answers;
}
