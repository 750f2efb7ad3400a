import { CATALOGUE, DevflowError } from '../../schemas/errors.ts';

/** Tells a person who named no repository how to name one. A hint about the repository itself stays. */
export function withRepositoryHint(error: unknown, how: string): unknown {
  if (!(error instanceof DevflowError) || error.recoveryHint !== CATALOGUE.repo_invalid.hint) return error;
  const recoveryHint = `Run the command in a git repository, or name one: ${how}.`;
  return new DevflowError(error.code, error.message, { recoveryHint, data: error.data, cause: error });
}
