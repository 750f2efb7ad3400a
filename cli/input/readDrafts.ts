import { DevflowError } from '../../schemas/errors.ts';
import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { Io } from '../io/io.ts';
import { definitionFile } from './definitionSource.ts';
import { draftFile } from './drafts.ts';
import { readInput } from './readInput.ts';
import { readShipped, shippedWith } from './readShipped.ts';

type Drafts = Pick<RpcParams<'run.start'>, 'draft' | 'draftArtifacts' | 'draftPersonas'>;

/** The drafts that a run begins with: the template, the artifact schemas beside it, and the personas that `--bind` names. */
export async function readDrafts(io: Io, template: string, bind: Readonly<Record<string, string>>): Promise<Drafts> {
  const file = definitionFile(io, template, 'template');
  const names = [...new Set(Object.values(bind))];
  const personas = names.flatMap((name) => draftFile(io, 'persona', name) ?? []);
  if (file === undefined && personas.length === 0) throw noDraft(template);
  const draft = file === undefined ? undefined : await readInput(io, file, 'the template file');
  return {
    draft,
    draftArtifacts: draft === undefined ? [] : readShipped(shippedWith(file, io.cwd, undefined, draft)),
    draftPersonas: await Promise.all(personas.map((persona) => readInput(io, persona, 'the persona file'))),
  };
}

function noDraft(template: string): DevflowError {
  return new DevflowError('template_not_found', `There is no draft ${template}.`, {
    recoveryHint: 'Begin one with devflow template new, or leave --draft out.',
  });
}
