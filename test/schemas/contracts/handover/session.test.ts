import { describe, expect, test } from 'vitest';
import { planCleanup } from '../../../../schemas/contracts/handover/session/cleanup.ts';
import { nextSession } from '../../../../schemas/contracts/handover/session/next.ts';
import { refresh } from '../../../../schemas/contracts/handover/session/refresh.ts';
import { checkSessionPrompt } from '../../../../schemas/contracts/handover/session/sessionPrompt.ts';
import { checkSessionState } from '../../../../schemas/contracts/handover/session/sessionState.ts';
import { DevflowError } from '../../../../schemas/errors.ts';
import {
  about,
  errorsOf,
  file,
  givenPrompt,
  givenState,
  LINK,
  MISSING,
  STATE,
  tree,
  warningsOf,
  without,
} from './given.ts';

const check = (text: string) => checkSessionState(file(text), 's.json');
const checkWith = (values: Record<string, unknown>) => check(givenState(values));

describe('HC-7.1: the next session', () => {
  test('HC-7.1: three lines and the path', () => {
    expect(nextSession(check(givenState()))).toEqual({
      resumable: true,
      message: 'The next session is Session 2b.',
      lines: [
        `Project: ${STATE.project}`,
        'Next session: Session 2b',
        'Status: in_progress, updated 2026-01-22T11:00:00Z',
      ],
      briefPath: STATE.next_session_brief_path,
      warnings: [],
    });
  });
  test('HC-7.1: a completed project has no further sessions', () => {
    const next = nextSession(checkWith({ status: 'completed' }));
    expect([next.resumable, next.message]).toEqual([false, 'no further sessions to resume; project complete']);
  });
  test('HC-7.1: a broken state is refused with its code', () => {
    const broken = refusalOf(() => nextSession(check('{')));
    expect([broken?.code, broken?.message]).toEqual([
      'contract_invalid',
      expect.stringContaining('SESSION_STATE_PARSE_ERROR'),
    ]);
    expect(broken?.data).toMatchObject({ errors: [{ code: 'SESSION_STATE_PARSE_ERROR' }] });
  });
});

test('HC-7.2: a committed state is warned of', () => {
  expect(warningsOf(checkSessionState(file(givenState()), 's', { isTracked: true }))).toEqual([
    'SESSION_STATE_TRACKED',
  ]);
  expect(warningsOf(checkSessionState(file('{'), 's', { isTracked: true }))).toEqual(['SESSION_STATE_TRACKED']);
});

test.each(Object.keys(STATE))('HC-7.3: %s is required', (key) => {
  expect(about(check(JSON.stringify(without(STATE, key))))).toEqual([['SESSION_STATE_MISSING_FIELD', key]]);
});

test('HC-7.4: unknown keys are tolerated', () => {
  expect(about(check(givenState({ handoff: { by: 'x' } })))).toEqual([]);
});

describe('HC-7.5: the values of a session state', () => {
  test.each([
    ['next_session_brief_path', '', 'SESSION_STATE_INVALID_PATH'],
    ['next_session_brief_path', '  ', 'SESSION_STATE_INVALID_PATH'],
    ['next_session_brief_path', 5, 'SESSION_STATE_INVALID_PATH'],
    ['status', 'done', 'SESSION_STATE_INVALID_STATUS'],
    ['status', null, 'SESSION_STATE_INVALID_STATUS'],
    ['updated_at', 'yesterday', 'SESSION_STATE_INVALID_TIMESTAMP'],
    ['updated_at', 5, 'SESSION_STATE_INVALID_TIMESTAMP'],
    ['project', 5, 'SESSION_STATE_MISSING_FIELD'],
    ['next_session_label', [], 'SESSION_STATE_MISSING_FIELD'],
  ])('HC-7.5: %s may not be %j', (key, value, code) => {
    expect(about(checkWith({ [key]: value }))).toEqual([[code, key]]);
  });
  test('HC-7.5: what is no JSON object is refused', () => {
    expect(errorsOf(checkSessionState(MISSING, 's'))).toEqual(['SESSION_STATE_NOT_FOUND']);
    expect(errorsOf(checkSessionState(LINK, 's'))).toEqual(['SESSION_STATE_READ_ERROR']);
    expect(errorsOf(check('{,}'))).toEqual(['SESSION_STATE_PARSE_ERROR']);
    expect(errorsOf(check('[]'))).toEqual(['SESSION_STATE_NOT_OBJECT']);
  });
});

test.each(['1', 2, null])('HC-7.6: schema_version %j is not the number 1', (version) => {
  expect(about(checkWith({ schema_version: version }))).toEqual([['SESSION_STATE_SCHEMA_MISMATCH', 'schema_version']]);
});

test('HC-7.7: a completed state is valid with a warning', () => {
  const report = checkWith({ status: 'completed' });
  expect([report.valid, warningsOf(report)]).toEqual([true, ['SESSION_STATE_NOT_RESUMABLE']]);
  for (const status of ['in_progress', 'partial', 'failed', 'stopped'])
    expect(about(checkWith({ status }))).toEqual([]);
});

test('HC-7.8: a brief that is not there only warns', () => {
  const report = checkSessionState(file(givenState()), 's', { briefExists: false });
  expect([report.valid, warningsOf(report)]).toEqual([true, ['SESSION_STATE_BRIEF_NOT_FOUND']]);
});

describe('HC-7.9: the plan of a cleanup', () => {
  const paths = { state: 'p/.session-state.local.json', prompt: 'p/NEXT-SESSION-PROMPT.local.md' };
  const plan = (files: Parameters<typeof tree>[0]) => planCleanup(tree(files), 'p');
  const done = givenState({ status: 'completed' });

  test('HC-7.9: both files of a completed session go', () => {
    const { actions, files, applied } = plan({ [paths.state]: done, [paths.prompt]: 'x' });
    expect(actions.map(({ action, path }) => [action, path])).toEqual([
      ['remove', paths.state],
      ['remove', paths.prompt],
    ]);
    expect([files, applied]).toEqual([{ state: 'found', prompt: 'found' }, false]);
  });
  test.each([
    ['is in progress', givenState(), 'in_progress'],
    ['is stopped', givenState({ status: 'stopped' }), 'stopped'],
    ['is broken', '{', null],
    ['is completed but not valid', givenState({ status: 'completed', schema_version: '1' }), 'completed'],
  ])('HC-7.9: a state that %s is kept', (_, state, status) => {
    const refused = refusalOf(() => plan({ [paths.state]: state, [paths.prompt]: 'x' }));
    expect([refused?.code, refused?.data.status]).toEqual(['handover_cleanup_refused', status]);
  });
  test('HC-7.9: a state that is a link is kept', () => {
    expect(refusalOf(() => plan({ [paths.state]: { kind: 'link' } }))?.code).toBe('handover_cleanup_refused');
  });
  test('HC-7.11: what is left goes, and what is gone is said', () => {
    expect(plan({ [paths.prompt]: 'x' }).files).toEqual({ state: 'not found', prompt: 'found' });
    expect(plan({ [paths.state]: done }).files).toEqual({ state: 'found', prompt: 'not found' });
    expect(plan({ 'p/brief.md': '' })).toMatchObject({
      actions: [],
      files: { state: 'not found', prompt: 'not found' },
    });
  });
});

describe('HC-7.10: the prompt for the next session', () => {
  const checkPrompt = (text: string, state = givenState()) =>
    checkSessionPrompt(file(text), 'n.md', { state: file(state) });
  test('HC-7.10: it says who wrote it and when', () => {
    expect(about(checkPrompt(givenPrompt()))).toEqual([]);
    for (const name of ['produced_by', 'produced_at']) {
      expect(about(checkPrompt(givenPrompt({ [name]: undefined })))).toEqual([
        ['NEXT_SESSION_PROMPT_MISSING_FIELD', name],
      ]);
    }
    expect(errorsOf(checkPrompt(givenPrompt({ produced_at: 'today' })))).toEqual([
      'NEXT_SESSION_PROMPT_INVALID_TIMESTAMP',
    ]);
  });
  test('HC-7.10: an older prompt is inconsistent, by the instant and not by its text', () => {
    const at = (time: string) => errorsOf(checkPrompt(givenPrompt({ produced_at: time })));
    expect(at('2026-01-22T10:59:59Z')).toEqual(['NEXT_SESSION_PROMPT_INCONSISTENT']);
    expect(at('2026-01-22T11:30:00+01:00')).toEqual(['NEXT_SESSION_PROMPT_INCONSISTENT']);
    expect(at('2026-01-22T12:00:00+01:00')).toEqual([]);
    expect(at('2026-01-22T11:00:00.001Z')).toEqual([]);
  });
  test('HC-7.10: without frontmatter it only warns', () => {
    const report = checkPrompt('Go on.');
    expect([report.valid, warningsOf(report)]).toEqual([true, ['NEXT_SESSION_PROMPT_NO_FRONTMATTER']]);
    expect(errorsOf(checkPrompt('---\nproduced_by: x\n'))).toEqual(['FM_UNTERMINATED']);
  });
  test('HC-7.10: without a state that can be read it is not compared', () => {
    expect(about(checkSessionPrompt(file(givenPrompt()), 'n.md', { state: MISSING }))).toEqual([]);
    expect(about(checkPrompt(givenPrompt(), '{'))).toEqual([]);
  });
  test('HC-0.8: a missing prompt and a link have codes of their own', () => {
    expect(errorsOf(checkSessionPrompt(MISSING, 'n'))).toEqual(['NEXT_SESSION_PROMPT_NOT_FOUND']);
    expect(errorsOf(checkSessionPrompt(LINK, 'n'))).toEqual(['NEXT_SESSION_PROMPT_READ_ERROR']);
  });
});

describe('HC-7.12: the refresh of a session state', () => {
  const now = Date.parse('2026-01-22T12:00:00Z');
  test('HC-7.12: only updated_at changes, letter by letter', () => {
    const text = `{"id": 12345678901234567890, "note": "\\"updated_at\\": 1", "in": {"updated_at": "x"},
      ${givenState({ status: 'partial' }).slice(1)}`.replace('"updated_at": "2026', '"updated_\\u0061t" : "2026');
    const refreshed = refresh(file(text), MISSING, now);
    expect(refreshed).toEqual({
      is: 'would refresh',
      text: text.replace('2026-01-22T11:00:00Z', '2026-01-22T12:00:00.000Z'),
    });
  });
  test.each(['failed', 'stopped', 'completed'])('HC-7.12: a state that is %s is left alone', (status) => {
    expect(refresh(file(givenState({ status })), MISSING, now)).toEqual({ is: 'left alone' });
  });
  test('HC-7.12: it never makes the file, and changes no broken one', () => {
    expect(refresh(MISSING, MISSING, now)).toEqual({ is: 'absent' });
    expect(refresh(LINK, MISSING, now)).toEqual({ is: 'invalid' });
    expect(refresh(file(givenState({ status: 'x' })), MISSING, now)).toEqual({ is: 'invalid' });
  });
  test('HC-7.12: nothing is refreshed once the prompt for the end of the session is written', () => {
    expect(refresh(file(givenState()), file(givenPrompt()), now)).toEqual({ is: 'left alone' });
    const stale = givenPrompt({ produced_at: '2026-01-22T09:00:00Z' });
    expect(refresh(file(givenState()), file(stale), now).is).toBe('would refresh');
  });
});

function refusalOf(call: () => unknown): DevflowError | undefined {
  try {
    call();
  } catch (error) {
    if (error instanceof DevflowError) return error;
    throw error;
  }
  return undefined;
}
