import { expect, test } from 'vitest';
import { readEdit } from '../../../../schemas/edits/readEdit.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import { toApiError } from '../../../../tui/model/apiError.ts';
import type { CallCommand, Command, Model, Step } from '../../../../tui/model/model.ts';
import { artifact, detail, gate, given, lists, press, RUN, text, toasts } from '../givenScreen.ts';

const ID = '11111111-0000-4000-8000-000000000001';
const NEXT = '22222222-0000-4000-8000-000000000002';
const HASH = 'a'.repeat(64);
const ARTIFACT = artifact({ title: 'x' });
const DOCUMENT = {
  approvalId: ID,
  runId: 'run',
  artifact: HASH,
  schema: 'dev/spec@1',
  path: '/ws/run/main/spec.json',
  text: '# About.\n\ntitle: x\n',
  shown: 'b'.repeat(64),
};

const shown = (artifacts = [ARTIFACT], more = {}): Model =>
  given(
    { screen: 'approval', id: ID },
    lists({ 'approval.list pending': [gate(ID)], [`approval.get ${ID}`]: detail(ID, { artifacts, ...more }) }),
  );

const callIn = ({ commands }: Pick<Step, 'commands'>) => commands.find(({ type }) => type === 'call') as CallCommand;
const editorIn = ({ commands }: Pick<Step, 'commands'>) =>
  commands.find((command): command is Extract<Command, { type: 'edit' }> => command.type === 'edit');

/** The daemon gives the text, and the person saves another one. */
function saved(model: Model, change: (text: string) => string) {
  const read = callIn(press(model, 'e'));
  expect([read.method, read.params]).toEqual(['approval.editText', { approvalId: ID, artifact: ARTIFACT.hash }]);
  const opened = read.then(model, DOCUMENT as never);
  const editor = editorIn(opened);
  return { opened: editor?.text, ...(editor?.then(opened.model, change(editor.text)) ?? opened) };
}

test('e opens the document in the editor, sends what is saved, and shows the gate with it', () => {
  const sent = saved(shown(), (before) => before.replace('title: x', 'title: y'));
  const call = callIn(sent);
  expect(call.method).toBe('approval.edit');
  expect(call.params).toMatchObject({ approvalId: ID, artifact: HASH, shown: DOCUMENT.shown });
  expect(readEdit((call.params as { text: string }).text)).toEqual({ ok: true, data: { title: 'y' } });
  const after = call.then(sent.model, {
    approvalId: NEXT,
    runId: 'run',
    artifactId: 'x',
    hash: HASH,
    created: true,
  } as never);
  expect(after.model.place).toEqual({ screen: 'approval', id: NEXT });
  expect(toasts(after.model).join()).toContain('Your version is at this gate');
});

test('a text that is not saved, or saved empty, sends nothing', () => {
  for (const change of [(before: string) => before, () => ' \n']) {
    const step = saved(shown(), change);
    expect([step.commands, toasts(step.model)]).toEqual([[], ['Nothing is changed.']]);
  }
});

test('faults stand on top of the text until it is taken, and a text that was given up opens again', () => {
  const sent = saved(shown(), () => 'goals: []\n');
  const errors = [{ path: '/title', message: 'is missing' }];
  const error = toApiError(new DevflowError('artifact_invalid', 'not valid', { data: { errors } }));
  const refused = callIn(sent).failed?.(sent.model, error);
  const again = refused && editorIn(refused);
  expect(again?.text).toContain('#   /title: is missing\n');
  expect(again?.text).toContain('goals: []');
  const given = again?.then(refused?.model ?? sent.model, again.text);
  expect(given?.commands).toEqual([{ type: 'keepText', text: 'goals: []\n', name: 'document.yaml' }]);
  expect(saved(given?.model ?? sent.model, (before) => before).opened).toBe('goals: []\n');
});

test.each(['decision_conflict', 'state_conflict', 'artifact_changed', 'internal'])(
  'a text that is refused with %s is written to a file',
  (code) => {
    const sent = saved(shown(), () => 'title: mine\n');
    const refused = callIn(sent).failed?.(sent.model, { code, message: 'The gate is decided.' } as never);
    expect(refused?.commands).toEqual([{ type: 'keepText', text: 'title: mine\n', name: 'document.yaml' }]);
    expect(refused && toasts(refused.model)).toEqual(['The gate is decided.']);
  },
);

test('a lost connection keeps the text, and the same text sends the same token', () => {
  const sent = saved(shown(), () => 'title: mine\n');
  const lost = callIn(sent).failed?.(sent.model, { code: 'daemon_not_running', message: 'It is gone.' });
  const again = saved(lost?.model ?? sent.model, (before) => before);
  expect(callIn(again).params).toEqual(callIn(sent).params);
});

test('of several documents a person chooses one', () => {
  const other = { ...ARTIFACT, artifactId: 'other', hash: 'c'.repeat(64), path: '/ws/run/main/plan.json' };
  const chosen = press(shown([ARTIFACT, other]), 'e');
  expect(text(chosen.model)).toContain('plan.json');
  expect(callIn(press(chosen.model, ['down', 'enter'])).params).toMatchObject({ artifact: other.hash });
});

test('a gate without a document, and a decided one, take no edit', () => {
  expect(press(shown([]), 'e').commands).toEqual([]);
  expect(press(shown([ARTIFACT], { state: 'approved', actions: [] }), 'e').commands).toEqual([]);
});

test('the gate shows what a person changed in the version of the agent', () => {
  const mine = artifact({ title: 'Mine' }, { artifactId: 'mine', hash: 'd'.repeat(64), edited: true });
  const answers = {
    'approval.list pending': [gate(ID)],
    [`approval.get ${ID}`]: detail(ID, { artifacts: [mine] }),
    [`artifact.list ${RUN}`]: [ARTIFACT, mine],
    [`artifact.get ${ARTIFACT.artifactId}`]: ARTIFACT,
  };
  const model = given({ screen: 'approval', id: ID }, lists(answers));
  const edits = press(model, ['tab', 'tab']).model;
  expect(text(edits)).toContain('Your edits');
  expect(text(edits)).toMatch(/^ *- .*x/m);
  expect(text(edits)).toMatch(/^ *\+ .*Mine/m);
});
