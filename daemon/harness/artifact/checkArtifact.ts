import type { ValidationError } from '../../../schemas/definitions/artifactSemantics.ts';
import type { Registry, Validation } from '../../../schemas/definitions/registry.ts';
import { checkPolicy } from '../policy/policy.ts';

interface Task {
  checks: { argv: string[] }[];
}

/** Schemas whose documents hold commands for devflow. */
const COMMANDS: Readonly<Record<string, (data: never) => ValidationError[]>> = {
  'dev/dag@1': ({ tasks }: { tasks: Task[] }) =>
    tasks.flatMap(({ checks }, task) =>
      checks.flatMap(({ argv }, check) => policyFaults(argv, `/tasks/${task}/checks/${check}/argv`)),
    ),
  'dev/review-finding-batch@1': ({ findings }: { findings: { reproduce: { argv: string[] } | null }[] }) =>
    findings.flatMap(({ reproduce }, index) =>
      reproduce ? policyFaults(reproduce.argv, `/findings/${index}/reproduce/argv`) : [],
    ),
};

/** As many as the registry reports, because a repair prompt has to hold them. */
const MAX_ERRORS = 30;

/**
 * Checks an artifact by its schema, and the commands in it by the policy: devflow would not run them later, so the agent
 * has to repair them now. Throws `artifact_schema_unknown`.
 */
export function checkArtifact(
  { validateArtifact }: Pick<Registry, 'validateArtifact'>,
  schema: string,
  data: unknown,
): Validation {
  const verdict = validateArtifact(schema, data);
  if (!verdict.ok) return verdict;
  const errors = COMMANDS[schema]?.(data as never) ?? [];
  return errors.length === 0 ? verdict : { ok: false, errors: errors.slice(0, MAX_ERRORS) };
}

function policyFaults(argv: readonly string[], path: string): ValidationError[] {
  const { allowed, rule, reason } = checkPolicy(argv);
  return allowed ? [] : [{ path, message: `devflow does not run this command: ${reason} (${rule})` }];
}
