import { defined } from '../../../schemas/defined.ts';
import type { Registry } from '../../../schemas/definitions/registry.ts';
import { editableText } from '../../../schemas/edits/editableText.ts';
import { readEdit } from '../../../schemas/edits/readEdit.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { ValidationError } from '../../../schemas/events/artifact.ts';
import { shownHash } from '../../../schemas/gates/shownHash.ts';
import { hash as hashOf, sha256hex } from '../../../schemas/hash.ts';
import { MOST_EDITED } from '../../../schemas/rpc/methods/approval.ts';
import type { RpcParams, RpcResult } from '../../../schemas/rpc/methods/index.ts';
import { titleFrom } from '../../../schemas/text/titleOf.ts';
import { visible } from '../../../schemas/text/visible.ts';
import { checkBytes, logFaults } from '../../artifacts/checkArtifact.ts';
import { getValidated, keepArtifact } from '../../artifacts/storedArtifact.ts';
import { isReadByCore } from '../../core/assignment/request.ts';
import { type Editable, editableAt, editedPath } from '../../core/edits/editable.ts';
import { type Edit, editableNamed, editWith } from '../../core/edits/editDocument.ts';
import { worktreeWith } from '../../core/run/lanes.ts';
import type { Approval, Run } from '../../core/run/state.ts';

/** The document of a gate as a text to edit. */
export async function textToEdit(
  { run, approval }: At,
  wanted: string | undefined,
  registry: Registry,
): Promise<RpcResult<'approval.editText'>> {
  const { artifact } = theOne(run, approval, wanted);
  const { schema, path, hash } = artifact;
  const bytes = await getValidated(artifact, worktreeWith(run, path));
  if (bytes.length > MOST_EDITED) {
    const message = `${nameOf(path)} has ${bytes.length} bytes; at most ${MOST_EDITED} are edited.`;
    throw new DevflowError('not_editable', message, { runId: run.id });
  }
  const about = [
    `${nameOf(path)} of phase ${approval.phaseKey}, as the gate ${approval.gateKey} shows it (${schema}).`,
    'Save it to put your version in its place; the gate then asks again. Without a change nothing happens.',
  ];
  const text = editableText(JSON.parse(bytes.toString('utf8')), registry.loadSchema(schema), about);
  return { approvalId: approval.id, runId: run.id, artifact: hash, schema, path, text, shown: shownHash(approval) };
}

interface At {
  run: Run;
  approval: Approval;
}

/** The document that a person names at a gate by its hash, or the only one. */
function theOne(run: Run, approval: Approval, wanted: string | undefined): Editable {
  const found = editableAt(run, approval);
  if (typeof found === 'string') throw new DevflowError('not_editable', found, { runId: run.id });
  const named = wanted === undefined ? found : found.filter(({ artifact }) => artifact.hash.startsWith(wanted));
  const [only, ...more] = named;
  if (only && more.length === 0) return only;
  const all = found.map(({ artifact: { path, hash } }) => `${nameOf(path)} (${hash.slice(0, 12)})`).join(', ');
  const message = only
    ? `The gate shows several documents: ${all}.`
    : `The gate shows no such document; it has ${all}.`;
  throw new DevflowError('usage', message, { runId: run.id, recoveryHint: 'Name one by its hash: --document <hash>.' });
}

/** What an edit puts in place, checked and stored; null if it says the same as before. Throws `artifact_invalid`. */
export async function checkedEdit(
  { run, approval }: At,
  { artifact: replaces, text, shown, clientToken }: RpcParams<'approval.edit'>,
  registry: Registry,
): Promise<Edit | null> {
  const asked = { approvalRequestId: approval.id, replaces, clientToken, ...defined({ shown }) };
  // A repeated call finds another version at the gate.
  const before = editWith(run, asked);
  if (before?.storedPath) return { ...asked, document: { hash: before.hash, storedPath: before.storedPath } };
  const found = approval.state === 'pending' ? editableNamed(run, approval, replaces) : undefined;
  // The core says why.
  if (!found) return { ...asked, document: { hash: replaces, storedPath: '' } };
  if (found instanceof DevflowError) throw found;
  const { artifact } = found;
  const data = dataOf(text, run);
  const worktree = worktreeWith(run, artifact.path);
  if (await saysTheSame(data, artifact, worktree)) return null;
  const bytes = Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
  const read = checkBytes(registry, artifact.schema, bytes);
  const errors = read.ok ? logFaults(data) : read.errors;
  if (errors.length > 0) throw invalid(run, errors);
  const hash = sha256hex(bytes);
  const storedPath = editedPath(artifact, hash);
  await keepArtifact(storedPath, worktree, bytes);
  const kept = defined({
    title: titleFrom((data as { title?: unknown } | null)?.title),
    data: isReadByCore(artifact.schema) ? data : undefined,
  });
  return { ...asked, document: { hash, storedPath, ...kept } };
}

function dataOf(text: string, run: Run): unknown {
  const read = readEdit(text);
  if (!read.ok) throw invalid(run, read.errors);
  return read.data;
}

async function saysTheSame(data: unknown, artifact: Editable['artifact'], worktree: string): Promise<boolean> {
  try {
    const bytes = await getValidated(artifact, worktree);
    return hashOf(JSON.parse(bytes.toString('utf8'))) === hashOf(data);
  } catch {
    // Lost bytes, or a text without a canonical form: it is another one.
    return false;
  }
}

const NAMED = 3;

function invalid(run: Run, errors: readonly ValidationError[]): DevflowError {
  const named = errors
    .slice(0, NAMED)
    .map(({ path, message }) => visible(path === '' ? message : `${path}: ${message}`));
  const more = errors.length > NAMED ? `; and ${errors.length - NAMED} more` : '';
  const message = `devflow did not take the text, because it is not valid: ${named.join('; ')}${more}.`;
  return new DevflowError('artifact_invalid', message, { runId: run.id, data: { errors } });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
