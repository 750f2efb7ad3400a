import { aboutTemplate } from '../../../schemas/definitions/shippedTemplates.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { Definitions, LookAgain } from '../../store/definitions.ts';
import type { Linters } from './linters.ts';
import type { Promote } from './promoter.ts';
import type { PublishPersona } from './publishPersona.ts';
import type { Validators } from './validators.ts';

/** Templates and personas. A reference is `name` (the newest version) or `name@version`. */
export function createDefinitionMethods({
  definitions,
  validators,
  linters,
  promote,
  publishPersona,
  lookAgain,
}: {
  definitions: Definitions;
  lookAgain: LookAgain;
  validators: Validators;
  linters: Linters;
  promote: Promote;
  publishPersona: PublishPersona;
}): HandlersOf<'template' | 'persona'> {
  return {
    'template.list': async ({ unpublished }) => {
      const [records, uses] = await Promise.all([definitions.listTemplates({ unpublished }), definitions.lastUses()]);
      return records.map(({ id, name, version, hash, template }) => ({
        name,
        version,
        hash,
        about: aboutTemplate(template),
        lastUsedAt: uses.get(id) ?? null,
        phases: template.phases.map((phase) => phase.key),
        roles: template.roles.map((role) => role.id),
      }));
    },
    'template.get': async ({ template: ref }) => {
      const { id, name, version, hash, template } = await definitions.getTemplate(ref);
      return { name, version, hash, definition: template, usedBy: await definitions.listRunsOf('template', id) };
    },
    'template.rehearse': ({ schemas, ...source }) => lookAgain(() => validators.rehearseTemplate(source, schemas)),
    'template.promote': promote,
    'template.validate': ({ text }) => validators.validateTemplate(text),
    'template.lint': ({ schemas, ...source }) => lookAgain(async () => linters.lintTemplate(source, schemas)),
    'template.diff': ({ from, to }) => lookAgain(async () => linters.diffTemplates(from, to)),
    'persona.list': async ({ unpublished }) => {
      const records = await definitions.listPersonas({ unpublished });
      return records.map(({ name, version, hash, persona }) => {
        const { backend, capabilities, maxRiskLevel, allowedRoles = null } = persona;
        return { name, version, hash, backend, capabilities, maxRiskLevel, allowedRoles };
      });
    },
    'persona.get': async ({ persona: ref }) => {
      const { id, name, version, hash, persona } = await definitions.getPersona(ref);
      return { name, version, hash, definition: persona, usedBy: await definitions.listRunsOf('persona', id) };
    },
    'persona.validate': ({ text }) => validators.validatePersona(text),
    'persona.lint': (source) => lookAgain(async () => linters.lintPersona(source)),
    'persona.publish': publishPersona,
  };
}
