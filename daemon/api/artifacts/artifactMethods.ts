import { DevflowError } from '../../../schemas/errors.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { Lists } from '../../store/lists.ts';
import type { Validators } from '../definitions/validators.ts';
import { getRun, type Ids } from '../lookup/ids.ts';
import { artifactContent, artifactView } from './artifactView.ts';

export function createArtifactMethods(parts: {
  ids: Ids;
  engine: Pick<RunEngine, 'readRun'>;
  lists: Pick<Lists, 'runOf'>;
  validators: Pick<Validators, 'validateArtifact'>;
}): HandlersOf<'artifact'> {
  const { ids, engine, lists, validators } = parts;
  return {
    'artifact.list': async ({ runId }) => {
      const run = await getRun(engine, await ids.run(runId));
      return run.artifacts.map((artifact) => artifactView(run, artifact));
    },
    'artifact.get': async ({ artifactId: ref }) => {
      const artifactId = await ids.artifact(ref);
      const run = await getRun(engine, await lists.runOf('artifact', artifactId));
      const artifact = run.artifacts.find((candidate) => candidate.id === artifactId);
      if (artifact) return artifactContent(run, artifact);
      throw new DevflowError('not_found', `There is no artifact ${artifactId}.`);
    },
    'artifact.validate': ({ schema, text }) => validators.validateArtifact(schema, text),
  };
}
