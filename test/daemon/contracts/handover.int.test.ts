import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  givenBrief,
  givenPlan,
  givenPrompt,
  givenResearch,
  givenReview,
  givenState,
  IDS,
  PROJECT,
} from '../../schemas/contracts/handover/given.ts';
import { refusalOf } from './givenDirectories.ts';
import { codes, given, PROMPT, STATE } from './givenProject.ts';

describe('HC-0.8: what is no regular file is not read', () => {
  it.each([
    ['brief', 'BRIEF'],
    ['research', 'RESEARCH'],
    ['plan', 'PLAN'],
    ['progress', 'PROGRESS'],
    ['review', 'REVIEW'],
    ['session-state', 'SESSION_STATE'],
    ['session-prompt', 'NEXT_SESSION_PROMPT'],
  ])('%s', async (kind, prefix) => {
    const { dir, outside, validate } = given();
    writeFileSync(join(outside, 'file.md'), givenBrief());
    symlinkSync(join(outside, 'file.md'), join(dir, 'link.md'));
    symlinkSync(outside, join(dir, 'dir'));
    mkdirSync(join(dir, 'directory.md'));
    execFileSync('mkfifo', [join(dir, 'pipe.md')]);
    writeFileSync(join(dir, 'large.md'), '');
    truncateSync(join(dir, 'large.md'), 100 * 1024 * 1024);
    for (const path of ['link.md', 'dir/file.md', 'directory.md', 'pipe.md', 'large.md', '.']) {
      const { errors, parsed } = await validate(kind, path);
      expect([path, codes(errors), parsed]).toEqual([path, [`${prefix}_READ_ERROR`], null]);
    }
    expect(codes((await validate(kind, 'nothing.md')).errors)).toEqual([`${prefix}_NOT_FOUND`]);
    expect(codes((await validate(kind, 'nothing/nothing.md')).errors)).toEqual([`${prefix}_NOT_FOUND`]);
  });
});

describe('HC-0.1: a validator takes any path', () => {
  it('of the repository or not, and names it', async () => {
    const { dir, outside, validate } = given();
    const bad = givenBrief({ task: undefined });
    for (const path of [join(dir, 'some.md'), join(outside, 'other.md')]) writeFileSync(path, bad);
    expect(await validate('brief', './some.md')).toMatchObject({
      subject: './some.md',
      errors: [{ code: 'BRIEF_MISSING_FIELD', path: 'some.md', field: 'task' }],
    });
    expect((await validate('brief', join(outside, 'other.md'))).errors[0].path).toBe(join(outside, 'other.md'));
    expect((await validate('brief', '../outside/other.md')).subject).toBe('../outside/other.md');
  });
  it('and a name with a newline, or bytes that are no UTF-8', async () => {
    const { dir, validate } = given();
    writeFileSync(join(dir, 'a\nb.md'), givenBrief());
    expect((await validate('brief', 'a\nb.md')).valid).toBe(true);
    writeFileSync(join(dir, 'bytes.md'), Buffer.concat([Buffer.from(givenBrief()), Buffer.from([0xff, 0xfe, 0x80])]));
    expect((await validate('brief', 'bytes.md')).valid).toBe(true);
    writeFileSync(join(dir, 'bytes.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(codes((await validate('progress', 'bytes.json')).errors)).toEqual(['PROGRESS_PARSE_ERROR']);
  });
});

describe('HC-0.10: there is a validator for each handover', () => {
  it('with the directory of the research', async () => {
    const { validate, outside, dir } = given({ 'research/01-a.md': givenResearch({ question: 'A?' }) });
    const report = await validate('research', `${PROJECT}/research`, { dir: true });
    expect(report.parsed.files).toEqual([
      { path: `${PROJECT}/research/01-a.md`, valid: true, question: 'A?', confidence: 0.8 },
    ]);
    expect(codes((await validate('research', 'none', { dir: true })).warnings)).toEqual(['RESEARCH_DIR_MISSING']);
    writeFileSync(join(outside, '01-a.md'), '');
    symlinkSync(outside, join(dir, 'linked'));
    expect(codes((await validate('research', 'linked', { dir: true })).errors)).toEqual(['RESEARCH_READ_ERROR']);
    expect((await validate('research', outside, { dir: true })).parsed.files[0].path).toBe(join(outside, '01-a.md'));
  });
  it('with the architecture of a project', async () => {
    const { validate } = given({ 'architecture/overview.md': '# Two parts\n', 'architecture/more.md': '' });
    for (const path of [PROJECT, `${PROJECT}/architecture`]) {
      expect(await validate('architecture', path)).toMatchObject({
        valid: true,
        warnings: [{ code: 'ARCH_LOOSE_FILES' }],
        parsed: {
          found: true,
          overview: `${PROJECT}/architecture/overview.md`,
          heading: 'Two parts',
          looseFiles: ['more.md'],
        },
      });
    }
    expect((await validate('architecture', 'nowhere')).parsed.found).toBe(false);
  });
  it('with the prompt beside its state', async () => {
    const { validate } = given({
      [STATE]: givenState(),
      [PROMPT]: givenPrompt({ produced_at: '2026-01-01T00:00:00Z' }),
    });
    expect(codes((await validate('session-prompt', `${PROJECT}/${PROMPT}`)).errors)).toEqual([
      'NEXT_SESSION_PROMPT_INCONSISTENT',
    ]);
  });
  it.each([
    ['plan', { soft: true }],
    ['brief', { dir: true }],
    ['plan', { resume: true }],
  ])('and %s with %j is wrong use', async (kind, options) => {
    expect((await refusalOf(given().validate(kind, 'x', options)))[0]).toBe('usage');
  });
});

describe('HC-0.7: a whole project', () => {
  it('is checked with what files and git say', async () => {
    const { call, git } = given({ 'brief.md': givenBrief({ research_topics: 0 }), [STATE]: givenState() });
    const check = () => call('handover.check', { project: PROJECT, strict: true });
    expect(await check()).toMatchObject({ contract: 'handover', subject: PROJECT, valid: true, warnings: [] });
    git('add', '-f', `${PROJECT}/${STATE}`);
    expect(codes((await check()).warnings)).toEqual(['SESSION_STATE_TRACKED']);
  });
  it('may be named from inside, or be the repository itself', async () => {
    const { call, dir } = given({ 'brief.md': givenBrief({ task: undefined }) });
    const inside = await call('handover.check', { repo: join(dir, PROJECT), project: '.', strict: true });
    expect(inside.errors).toMatchObject([{ path: 'brief.md', field: 'task' }]);
    expect(inside.parsed.handovers.brief.present).toBe(true);
  });
  it.each(['nowhere', '/', `${PROJECT}/brief.md`])('is not found at %s', async (project) => {
    const { call, write } = given();
    write('brief.md', '');
    expect(await refusalOf(call('handover.check', { project }))).toEqual(['contract_not_found', { what: 'project' }]);
  });
  it('is not found through a link', async () => {
    const { call, dir, outside } = given();
    symlinkSync(outside, join(dir, 'linked'));
    mkdirSync(join(outside, 'deep'));
    for (const project of ['linked', 'linked/deep']) {
      expect((await refusalOf(call('handover.check', { project })))[0]).toBe('contract_not_found');
    }
  });
  it('HC-0.1: is found by contract detect, and checked by contract check', async () => {
    const { call, dir } = given({ 'brief.md': givenBrief({ research_topics: 0 }), 'plan.md': givenPlan([]) });
    mkdirSync(join(dir, '.claude/plans'));
    writeFileSync(join(dir, '.claude/plans/trekplan-2026-01-22-x.md'), givenPlan());
    expect(await call('contract.detect')).toEqual([
      { contract: 'handover', path: PROJECT },
      { contract: 'handover/plan@1', path: '.claude/plans/trekplan-2026-01-22-x.md' },
    ]);
    expect(await call('contract.check')).toMatchObject({
      valid: false,
      errors: [{ code: 'PLAN_NO_STEPS', path: `${PROJECT}/plan.md` }],
      parsed: {
        reports: [
          { contract: 'handover/brief@1', valid: true },
          { contract: 'handover/plan@1', valid: false, errors: 1 },
          { contract: 'handover/plan@1', valid: true },
        ],
      },
    });
    expect((await call('contract.check', { contract: 'handover/brief@1' })).valid).toBe(true);
  });
});

it('HC-6.11: the findings of a review are goals or skipped', async () => {
  const { call } = given({ 'review.md': givenReview() });
  const report = await call('handover.findings', { review: `${PROJECT}/review.md` });
  expect(report).toMatchObject({ valid: true, parsed: { sourceFindings: [IDS[0], IDS[1]] } });
  expect(codes((await call('handover.findings', { review: 'none.md' })).errors)).toEqual(['REVIEW_NOT_FOUND']);
});
