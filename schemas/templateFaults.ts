import type { Registry } from './registry.ts';
import { alwaysEdits, sharedWorktreeSentence, sharedWorktrees } from './sharedWorktree.ts';
import type { Template } from './template.ts';

/** What is wrong at a place of a document. */
export interface Fault {
  path: (string | number)[];
  message: string;
}

/**
 * What keeps a template of the right shape from being used. It is no part of the shape, because the events of older runs hold
 * templates that would be refused today and go on.
 */
export function templateFaults(template: Template, { schemaFault }: Pick<Registry, 'schemaFault'>): Fault[] {
  return [...unknownSchemas(template, schemaFault), ...editorsTogether(template)];
}

function unknownSchemas({ phases }: Template, schemaFault: Registry['schemaFault']): Fault[] {
  return phases.flatMap(({ expectedArtifact }, index): Fault[] => {
    const message = expectedArtifact && schemaFault(expectedArtifact.schema);
    return message ? [{ path: ['phases', index, 'expectedArtifact', 'schema'], message }] : [];
  });
}

function editorsTogether(template: Template): Fault[] {
  return sharedWorktrees(template, (_, role) => alwaysEdits(template, role)).map((shared) => ({
    path: ['phases', template.phases.findIndex(({ key }) => key === shared.phaseKey), 'roles'],
    message: sharedWorktreeSentence(shared),
  }));
}
