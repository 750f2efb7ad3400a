import type { Fault } from './phase/kindDefinition.ts';
import type { Registry } from './registry.ts';
import { certainlyShared, sharedWorktreeSentence } from './sharedWorktree.ts';
import type { Template } from './template.ts';

/**
 * The reasons to refuse a template that has the right shape. The shape does not include these rules. Events of older
 * runs hold templates that break them, and those runs continue.
 */
export function templateFaults(template: Template, { schemaFault }: Pick<Registry, 'schemaFault'>): Fault[] {
  return [...unknownSchemas(template, schemaFault), ...editorsTogether(template)];
}

function unknownSchemas({ phases }: Template, schemaFault: Registry['schemaFault']): Fault[] {
  return phases.flatMap(({ expectedArtifact }, index): Fault[] => {
    const message = expectedArtifact && schemaFault(expectedArtifact.schema);
    return message ? [{ path: ['phases', index, 'expectedArtifact', 'schema'], code: 'unknown_schema', message }] : [];
  });
}

function editorsTogether(template: Template): Fault[] {
  return certainlyShared(template).map((shared) => ({
    path: ['phases', template.phases.findIndex(({ key }) => key === shared.phaseKey), 'roles'],
    code: 'shared_worktree',
    message: sharedWorktreeSentence(shared),
  }));
}
