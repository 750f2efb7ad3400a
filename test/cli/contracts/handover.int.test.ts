import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  givenBrief,
  givenPlan,
  givenProgress,
  givenPrompt,
  givenResearch,
  givenReview,
  givenState,
  IDS,
  PROJECT,
} from '../../schemas/contracts/handover/given.ts';
import { givenRepository } from './givenRepository.ts';

const STATE = '.session-state.local.json';
const PROMPT = 'NEXT-SESSION-PROMPT.local.md';

/** A repository with a project of these files. */
async function given(files: Record<string, string> = {}) {
  const inProject = Object.entries(files).map(([name, text]) => [`${PROJECT}/${name}`, text]);
  const given = await givenRepository('handover', Object.fromEntries(inProject));
  const project = join(given.repo, PROJECT);
  mkdirSync(project, { recursive: true });
  return { ...given, project };
}

describe('devflow handover validate', () => {
  it('HC-0.3: ends with 0 if a file is valid, with 1 if not, and prints the findings with their lines', async () => {
    const { run, json, repo } = await given({ 'brief.md': givenBrief({ created: 'soon' }) });
    const { code, out } = await run('validate', 'brief', `${PROJECT}/brief.md`);
    expect(code).toBe(1);
    expect(out).toContain(`${PROJECT}/brief.md:4: created is no date YYYY-MM-DD. [BRIEF_INVALID_FIELD]\n`);
    expect(out).toContain(`${PROJECT}/brief.md: not valid (1 error)\n`);
    writeFileSync(join(repo, 'good.md'), givenBrief());
    expect(await json('validate', 'brief', 'good.md')).toMatchObject({
      code: 0,
      value: { contract: 'handover/brief@1', subject: 'good.md', valid: true, errors: [], warnings: [] },
    });
  });
  it('HC-0.10: has the options of each kind', async () => {
    const { json } = await given({
      'brief.md': givenBrief({ task: undefined }),
      'research/01-a.md': givenResearch(),
      'progress.json': givenProgress({ status: 'completed', completed_at: '2026-01-22T12:00:00Z' }),
    });
    const errors = async (...words: string[]) => {
      const { code, value } = await json('validate', ...words);
      return [code, value.errors.map((finding: { code: string }) => finding.code)];
    };
    expect(await errors('brief', `${PROJECT}/brief.md`, '--strict')).toEqual([1, ['BRIEF_MISSING_FIELD']]);
    expect(await errors('brief', `${PROJECT}/brief.md`, '--soft')).toEqual([0, []]);
    expect(await errors('research', `${PROJECT}/research`, '--dir')).toEqual([0, []]);
    expect(await errors('research', `${PROJECT}/research`)).toEqual([1, ['RESEARCH_READ_ERROR']]);
    expect(await errors('progress', `${PROJECT}/progress.json`)).toEqual([0, []]);
    expect(await errors('progress', `${PROJECT}/progress.json`, '--resume')).toEqual([1, ['PROGRESS_ALREADY_DONE']]);
    expect(await errors('plan', 'nothing.md', '--strict')).toEqual([1, ['PLAN_NOT_FOUND']]);
    expect(await errors('architecture', PROJECT)).toEqual([0, []]);
  });
  it('prints hostile texts safely', async () => {
    const { run } = await given({ 'brief.md': givenBrief({ brief_version: '\u001b[31mred\u202e\u0007' }) });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect((await run('validate', 'brief', `${PROJECT}/brief.md`)).out).not.toMatch(/[\u0007\u001b\u202e]/);
  });
});

describe('devflow handover check', () => {
  it('HC-0.7: shows each handover, softly for a reader', async () => {
    const { run } = await given({
      'brief.md': givenBrief({ task: undefined, research_topics: 0 }),
      'plan.md': givenPlan([]),
    });
    const { code, out } = await run('check', PROJECT);
    expect(code).toBe(1);
    expect(out).toMatch(/^brief +valid +0 +1$/m);
    expect(out).toMatch(/^research +absent +0 +0$/m);
    expect(out).toMatch(/^plan +not valid +1 +0$/m);
    expect(out).toContain('warning  ');
    expect((await run('check', PROJECT, '--strict')).out).toMatch(/^brief +not valid +1 +0$/m);
  });
  it('HC-0.4: ends with 0 if there are only warnings, and with 4 without a project', async () => {
    const { run, json } = await given({ 'brief.md': givenBrief({ task: undefined, research_topics: 0 }) });
    expect((await run('check', PROJECT)).code).toBe(0);
    expect(await json('check', 'nowhere')).toMatchObject({
      code: 4,
      value: { error: { code: 'contract_not_found', data: { what: 'project' } } },
    });
  });
});

it('HC-6.11: devflow handover findings lists goals and skipped findings', async () => {
  const { run, json } = await given({ 'review.md': givenReview() });
  const { code, out } = await run('findings', `${PROJECT}/review.md`);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^${IDS[0]} +BLOCKER +goal +\\d+ +It does not start\\.$`, 'm'));
  expect(out).toMatch(new RegExp(`^${IDS[3]} +SUGGESTION +skipped`, 'm'));
  expect((await json('findings', `${PROJECT}/review.md`)).value.parsed.sourceFindings).toEqual([IDS[0], IDS[1]]);
  expect((await run('findings', 'none.md')).code).toBe(1);
});

describe('devflow handover drift', () => {
  it('HC-5.4: ends with 0 whatever it finds', async () => {
    const { run, json } = await given();
    const { code, out } = await run('drift', PROJECT);
    expect([code, out]).toEqual([0, expect.stringContaining('[PROGRESS_DRIFT_UNCHECKED]')]);
    expect((await json('drift', PROJECT)).value.parsed).toEqual({
      drift: false,
      currentStep: null,
      derivedStep: null,
      written: false,
      sessionState: 'absent',
    });
  });
  it('HC-7.12: refreshes a session state with --apply, and says so without', async () => {
    const { run, project } = await given({ [STATE]: givenState() });
    expect((await run('drift', PROJECT)).out).toContain('Give --apply to write.\n');
    const { out } = await run('drift', PROJECT, '--apply');
    expect(out).toMatch(/^session state +refreshed$/m);
    expect(readFileSync(join(project, STATE), 'utf8')).toContain('"updated_at": "1970-01-01T00:00:00.000Z"');
  });
  it('HC-7.13: says of a broken state on standard error, and goes on', async () => {
    const { run, json } = await given({ [STATE]: '{', 'progress.json': givenProgress() });
    const { code, err } = await run('drift', PROJECT, '--apply');
    expect([code, err]).toEqual([0, expect.stringContaining('is not valid, so it was not refreshed')]);
    expect((await json('drift', PROJECT)).value.parsed.sessionState).toBe('invalid');
  });
});

describe('devflow handover next', () => {
  it('HC-7.1: prints three lines and the path', async () => {
    const { run } = await given({ [STATE]: givenState(), 'brief.md': '' });
    expect(await run('next', PROJECT)).toEqual({
      code: 0,
      out: `Project: ${PROJECT}\nNext session: Session 2b\nStatus: in_progress, updated 2026-01-22T11:00:00Z\n${PROJECT}/brief.md\n`,
      err: '',
    });
  });
  it('HC-7.1: keeps a warning apart from the lines', async () => {
    const { run } = await given({ [STATE]: givenState() });
    const { out, err } = await run('next', PROJECT);
    expect(out.split('\n', 1)).toEqual([`Project: ${PROJECT}`]);
    expect(err).toContain('[SESSION_STATE_BRIEF_NOT_FOUND]');
  });
  it('HC-7.7: says of a completed project that there is nothing to resume', async () => {
    const { run, json } = await given({ [STATE]: givenState({ status: 'completed' }), 'brief.md': '' });
    const { code, out } = await run('next', PROJECT);
    expect([code, out]).toEqual([0, 'no further sessions to resume; project complete\n']);
    expect((await json('next', PROJECT)).value).toMatchObject({
      resumable: false,
      warnings: [{ code: 'SESSION_STATE_NOT_RESUMABLE' }],
    });
  });
  it('HC-7.1: is a cold start without a state, and broken with its code', async () => {
    const { run, json, project } = await given();
    expect(await json('next', PROJECT)).toMatchObject({
      code: 4,
      value: {
        error: { code: 'contract_not_found', message: expect.stringContaining('no active multi-session project here') },
      },
    });
    writeFileSync(join(project, STATE), '{');
    expect(await run('next', PROJECT)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('SESSION_STATE_PARSE_ERROR'),
    });
    expect(readdirSync(project)).toEqual([STATE]);
  });
});

describe('devflow handover cleanup', () => {
  const done = givenState({ status: 'completed' });
  it.each(['--apply', '--confirm'])('HC-7.9: is a dry run without %s', async (option) => {
    const { run, project } = await given({ [STATE]: done, [PROMPT]: givenPrompt() });
    const dry = await run('cleanup', PROJECT);
    expect([dry.code, dry.out]).toEqual([0, expect.stringContaining('state file: found, prompt file: found\n')]);
    expect(readdirSync(project)).toHaveLength(2);
    const applied = await run('cleanup', PROJECT, option);
    expect([applied.code, applied.out]).toEqual([
      0,
      expect.stringContaining('state file: removed, prompt file: removed\n'),
    ]);
    expect(readdirSync(project)).toEqual([]);
    expect((await run('cleanup', PROJECT, option)).out).toContain('state file: not found, prompt file: not found\n');
  });
  it('HC-7.9: is refused with exit code 5 while the work goes on', async () => {
    const { json, project } = await given({ [STATE]: givenState(), [PROMPT]: givenPrompt() });
    expect(await json('cleanup', PROJECT, '--confirm')).toMatchObject({
      code: 5,
      value: { error: { code: 'handover_cleanup_refused', data: { status: 'in_progress', errors: [] } } },
    });
    expect(readdirSync(project)).toHaveLength(2);
  });
});

describe('HC-0.3: wrong use', () => {
  it.each([
    ['validate'],
    ['validate', 'brief'],
    ['validate', 'story', 'brief.md'],
    ['validate', 'brief', ''],
    ['validate', 'brief', 'brief.md', '--soft', '--strict'],
    ['validate', 'plan', 'plan.md', '--soft'],
    ['validate', 'brief', 'brief.md', '--dir'],
    ['validate', 'brief', 'brief.md', '--resume'],
    ['validate', 'brief', 'brief.md', '--repo'],
    ['check'],
    ['check', PROJECT, '--frob'],
    ['findings'],
    ['drift'],
    ['drift', '../elsewhere', '--apply'],
    ['next', ''],
    ['cleanup'],
    ['cleanup', '../elsewhere', '--apply'],
    ['cleanup', PROJECT, '--force'],
    ['frob'],
    [],
  ])('%s %s %s %s is exit code 2, and nothing is written', async (...words) => {
    const { run, project } = await given({ [STATE]: givenState({ status: 'completed' }) });
    expect(await run(...words)).toMatchObject({ code: 2, out: '' });
    expect(readdirSync(project)).toEqual([STATE]);
  });
  it('is not a missing repository: exit code 4', async () => {
    const { json, root } = await given();
    for (const words of [
      ['validate', 'brief', 'x'],
      ['check', 'x'],
      ['findings', 'x'],
      ['drift', 'x'],
      ['next', 'x'],
      ['cleanup', 'x'],
    ]) {
      expect(await json(...words, '--repo', join(root, 'nowhere'))).toMatchObject({
        code: 4,
        value: { error: { code: 'contract_not_found', data: { what: 'repository' } } },
      });
    }
  });
});

it('answers the same with a daemon and without', async () => {
  const { repo, json, oneshot } = await given({
    'brief.md': givenBrief(),
    'plan.md': givenPlan(),
    'progress.json': givenProgress({ session_start_sha: 'abcdef1' }),
    'review.md': givenReview(),
    [STATE]: givenState({ status: 'completed' }),
  });
  const plan = `${PROJECT}/plan.md`;
  for (const [method, params, words] of [
    ['validate', { kind: 'plan', path: plan }, ['plan', plan]],
    ['check', { project: PROJECT }, [PROJECT]],
    ['findings', { review: `${PROJECT}/review.md` }, [`${PROJECT}/review.md`]],
    ['drift', { project: PROJECT }, [PROJECT]],
    ['next', { project: PROJECT }, [PROJECT]],
    ['cleanup', { project: PROJECT }, [PROJECT]],
  ] as const) {
    expect([method, (await oneshot(method, params)).result]).toEqual([method, (await json(method, ...words)).value]);
  }
  const wrong = await oneshot('validate', { kind: 'plan', path: plan, soft: true });
  expect(wrong).toEqual((await json('validate', 'plan', plan, '--soft')).value);
  writeFileSync(join(repo, PROJECT, STATE), '{');
  for (const [method, words] of [
    ['next', [PROJECT]],
    ['cleanup', [PROJECT]],
  ] as const) {
    expect(await oneshot(method, { project: PROJECT })).toEqual((await json(method, ...words)).value);
  }
});
