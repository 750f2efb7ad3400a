import { isContractDocument, readContractDocument } from '../../schemas/contracts/readArtifact.ts';
import type { ValidationError } from '../../schemas/definitions/artifactSemantics.ts';
import type { Registry, Validation } from '../../schemas/definitions/registry.ts';
import { storableText, unstorableText } from '../../schemas/definitions/unstorableText.ts';
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
  'dev/review-finding-batch@1': reproductionFaults,
  'dev/review-finding-batch@2': reproductionFaults,
};

function reproductionFaults({ findings }: { findings: { reproduce: { argv: string[] } | null }[] }): ValidationError[] {
  return findings.flatMap(({ reproduce }, index) =>
    reproduce ? policyFaults(reproduce.argv, `/findings/${index}/reproduce/argv`) : [],
  );
}

/** The content of an artifact with notes for its reader, or its faults. */
export type ReadVerdict =
  | { ok: true; data: unknown; warnings: ValidationError[] }
  | { ok: false; errors: ValidationError[] };

/** As many as the registry reports, because a repair prompt has to hold them. */
const MAX_ERRORS = 30;

/**
 * Checks an artifact by its schema, and the commands in it by the policy. The agent has to repair them now, because
 * devflow would not run them later. Throws `artifact_schema_unknown`.
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

/** Reads and checks the bytes of an artifact, by its JSON Schema or by its contract. Throws `artifact_schema_unknown`. */
export function checkBytes(registry: Registry, schema: string, bytes: Uint8Array): ReadVerdict {
  const verdict = read(registry, schema, bytes);
  if (!verdict.ok) return { ok: false, errors: verdict.errors.slice(0, MAX_ERRORS).map(storable) };
  return { ...verdict, warnings: verdict.warnings.slice(0, MAX_ERRORS).map(storable) };
}

/** A fault quotes what an agent wrote, and the log cannot keep all of that. */
function storable({ path, message, ...more }: ValidationError): ValidationError {
  return { path: storableText(path), message: storableText(message), ...more };
}

function read(registry: Registry, schema: string, bytes: Uint8Array): ReadVerdict {
  const isDocument = isContractDocument(schema);
  // An unknown schema is reported even if the text is broken too.
  if (!isDocument) registry.loadSchema(schema);
  const decoded = decode(bytes);
  if (!decoded.ok) return { ok: false, errors: [{ path: '', message: decoded.fault }] };
  if (isDocument) return readContractDocument(schema, decoded.text);
  const parsed = parse(decoded.text);
  if (!parsed.ok) return { ok: false, errors: [{ path: '', message: parsed.fault }] };
  const verdict = checkArtifact(registry, schema, parsed.data);
  return verdict.ok ? { ok: true, data: parsed.data, warnings: [] } : verdict;
}

/** Content that decisions depend on becomes part of the log, so its size has a limit. */
const MOST_DATA = 256 * 1024;

/** Faults for which the content of a valid artifact cannot become part of the log. */
export function logFaults(data: unknown): ValidationError[] {
  const size = Buffer.byteLength(JSON.stringify(data));
  if (size <= MOST_DATA) return unstorableText(data).slice(0, MAX_ERRORS);
  return [{ path: '', message: `has ${size} bytes as JSON; at most ${MOST_DATA} are allowed` }];
}

function decode(bytes: Uint8Array): { ok: true; text: string } | { ok: false; fault: string } {
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    return { ok: false, fault: `the file is not UTF-8: ${(error as Error).message}` };
  }
}

function parse(text: string): { ok: true; data: unknown } | { ok: false; fault: string } {
  try {
    return { ok: true, data: JSON.parse(text) };
  } catch (error) {
    return { ok: false, fault: `the file is not JSON: ${(error as Error).message}` };
  }
}

function policyFaults(argv: readonly string[], path: string): ValidationError[] {
  const { allowed, rule, reason } = checkPolicy(argv);
  return allowed ? [] : [{ path, message: `devflow does not run this command: ${reason} (${rule})` }];
}
