import { type DefinitionResult, readTemplateText } from '../../../schemas/definitions/definitionFile.ts';
import type { Definitions } from '../../../schemas/definitions/definitions.ts';
import { diffTemplates } from '../../../schemas/definitions/diff/diffTemplates.ts';
import { lintPersona } from '../../../schemas/definitions/lint/lintPersona.ts';
import { lintTemplate } from '../../../schemas/definitions/lint/lintTemplate.ts';
import type { Linted } from '../../../schemas/definitions/lint/lintText.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import type { Template } from '../../../schemas/definitions/template.ts';
import { problemSentence } from '../../../schemas/definitions/yamlFile.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { DefinitionSource, LintReport, TemplateDiff } from '../../../schemas/rpc/views/lint.ts';
import type { Backends } from '../../core/binding/candidates.ts';
import { lintKnowledge } from './lintKnowledge.ts';
import { sourceText } from './sourceText.ts';

/** Looks at definitions without a database, so that `oneshot` answers without a daemon. */
export interface Linters {
  /** `brought`: artifact schemas that come with it. */
  lintTemplate(source: DefinitionSource, brought?: readonly string[]): LintReport;
  lintPersona(source: DefinitionSource): LintReport;
  diffTemplates(from: DefinitionSource, to: DefinitionSource): TemplateDiff;
}

type Files = Pick<Definitions, 'templates' | 'personas'>;

export function createLinters(registry: Registry, current: () => Files, backends?: Backends): Linters {
  const known = () => lintKnowledge(registry, current(), backends);
  const side = (source: DefinitionSource) => {
    const { text, file } = sourceText(source, current(), 'template');
    const { name, version, hash, definition } = taken(readTemplateText(text, registry, file));
    return { identity: { name, version, hash }, definition };
  };
  return {
    lintTemplate(source, brought = []) {
      const schemaFault = (id: string) => (brought.includes(id) ? undefined : registry.schemaFault(id));
      const text = sourceText(source, current(), 'template');
      return reportOf(lintTemplate(text, { ...known(), schemas: { schemaFault } }));
    },
    lintPersona: (source) => reportOf(lintPersona(sourceText(source, current(), 'persona'), known())),
    diffTemplates(from, to) {
      const [before, after] = [side(from), side(to)];
      const changes = diffTemplates(before.definition, after.definition);
      return { from: before.identity, to: after.identity, changes };
    },
  };
}

function reportOf({ identity, findings, more }: Linted): LintReport {
  return { ...(identity ?? { name: null, version: null, hash: null }), findings, more };
}

function taken(result: DefinitionResult<Template>) {
  if (result.ok) return result.value;
  const [first] = result.problems;
  throw new DevflowError('template_invalid', first ? `${problemSentence(first)}.` : 'The template is not valid.');
}
