import { withFaults, withoutFaults } from '../../../schemas/edits/withFaults.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import type { ApiError } from '../../model/apiError.ts';
import type { Binding } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import { type Command, call, type Model, type Step, step } from '../../model/model.ts';
import { toast, toastError } from '../../model/toast.ts';
import { showGate } from '../decisions/decideWith.ts';
import { approvalOf } from './approvalQueries.ts';
import { approvalState as state } from './approvalState.ts';
import { whyUndecidable } from './decide.ts';

type Document = RpcResult<'approval.editText'>;

const DOING = 'editing';

export const editBindings: readonly Binding[] = [
  {
    id: 'approval.edit',
    keys: ['e'],
    label: 'edit document',
    help: 'Write your own version of the specification or plan in your editor; the gate then asks about it',
    disabled: (model) => whyUndecidable(model, 'approve') ?? whyNoDocument(model),
    run(model) {
      const gate = approvalOf(model);
      return gate ? chooseDocument(model, gate) : step(model);
    },
  },
];

function whyNoDocument(model: Model): string | undefined {
  return approvalOf(model)?.artifacts.length ? undefined : 'the gate shows no document';
}

/** The daemon says which documents are not edited, and why. */
function chooseDocument(model: Model, gate: ApprovalDetail): Step {
  const [first, ...more] = gate.artifacts;
  if (!first || more.length === 0) return readDocument(model, gate, first?.hash);
  const choices = gate.artifacts.map(({ hash, path, schema }) => ({
    value: hash,
    label: path.split('/').at(-1) ?? path,
    description: schema,
  }));
  const then = (after: Model, hash: string) => readDocument(after, gate, hash);
  return step({ ...model, overlay: { kind: 'choose', title: 'Edit', choices, field: field(), selected: 0, then } });
}

function readDocument(model: Model, gate: ApprovalDetail, artifact: string | undefined): Step {
  const params = { approvalId: gate.id, ...(artifact === undefined ? {} : { artifact }) };
  const then = (after: Model, document: Document): Step => {
    const kept = state.get(after).edited;
    const isKept = kept?.artifact === document.artifact;
    return openEditor(after, document, isKept ? kept.text : document.text, document.text);
  };
  return step(model, call('approval.editText', params, { doing: DOING, then }));
}

/** The editor opens again with the faults on top, until the text is taken or comes back as it was. */
function openEditor(model: Model, document: Document, text: string, unchanged = text): Step {
  const then = (after: Model, saved: string): Step => {
    if (saved !== unchanged && saved.trim() !== '') return sendEdit(after, document, saved);
    const own = text === document.text ? [] : [keptAsFile(withoutFaults(text))];
    return step(toast(after, 'warn', 'Nothing is changed.'), ...own);
  };
  return step(model, { type: 'edit', text, suffix: '.yaml', then });
}

const keptAsFile = (text: string): Command => ({ type: 'keepText', text, name: 'document.yaml' });

/** The token follows from the text, so a try that was not answered edits once. */
function sendEdit(model: Model, document: Document, saved: string): Step {
  const { approvalId, artifact, shown } = document;
  const text = withoutFaults(saved);
  const kept = state.set(model, { edited: { artifact, text } });
  const params = { approvalId, artifact, shown, text, clientToken: derivedId('edit', approvalId, artifact, text) };
  const then = (after: Model, { approvalId: next, hash, created }: RpcResult<'approval.edit'>): Step => {
    const done = state.set(after, { edited: undefined });
    if (!created) return step(toast(done, 'warn', 'Nothing is changed.'));
    const said = toast(done, 'good', `Your version is at this gate (${hash.slice(0, 12)}); approve it if it is right.`);
    return step(after.place.screen === 'approval' && after.place.id === approvalId ? showGate(said, next) : said);
  };
  const failed = (after: Model, error: ApiError): Step => {
    // The gate may be decided or replaced, and then no key opens the text again.
    if (error.code !== 'artifact_invalid') return step(toastError(after, error), keptAsFile(text));
    return openEditor(after, document, withFaults(text, error.faults ?? [{ path: '', message: error.message }]));
  };
  return step(kept, call('approval.edit', params, { doing: DOING, then, failed }));
}
