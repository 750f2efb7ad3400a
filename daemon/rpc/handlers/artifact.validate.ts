import type { Handler } from '../ports.ts';

export const artifactValidate: Handler<'artifact.validate'> = ({ schema, text }, { definitions }) =>
  definitions.validateArtifact(schema, text);
