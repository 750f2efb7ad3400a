import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  givenManifest,
  givenPlan,
  givenPlanOf,
  givenProgress,
  givenPrompt,
  givenState,
  givenStep,
  PROJECT,
} from '../../schemas/contracts/handover/given.ts';
import { refusalOf } from './givenDirectories.ts';
import { codes, given, PROMPT, STATE } from './givenProject.ts';

/** A project whose two steps have a commit each, while the progress is before the first. */
function givenDrift(options: { isInUse?: boolean } = {}) {
  const made = given(
    { 'plan.md': givenPlanOf(['^feat: one', '^feat: two']), [STATE]: givenState({ extra: [1] }) },
    options,
  );
  const from = made.git('rev-parse', 'HEAD');
  const first = made.commit({ one: '1' }, 'feat: one');
  const second = made.commit({ two: '2' }, 'feat: two');
  const progress = (values: object = {}) =>
    givenProgress({ session_start_sha: from, current_step: 0, steps: {}, keep: { me: true }, ...values });
  made.write('progress.json', progress());
  const drift = (apply = false) => made.call('handover.drift', { project: PROJECT, apply });
  return { ...made, from, first, second, progress, drift };
}

describe('HC-5.4: the drift of a progress', () => {
  it('is reported without a write', async () => {
    const { drift, read, progress } = givenDrift();
    const report = await drift();
    expect(report).toMatchObject({ contract: 'handover/progress@1', subject: PROJECT, valid: true });
    expect(codes(report.warnings)).toEqual(['PROGRESS_DRIFT']);
    expect(report.parsed).toEqual({
      drift: true,
      currentStep: 0,
      derivedStep: 2,
      written: false,
      sessionState: 'would refresh',
    });
    expect([read('progress.json'), read(STATE)]).toEqual([progress(), givenState({ extra: [1] })]);
  });
  it('is written whole and only forward, and a second time there is none', async () => {
    const { drift, read, path, first, second, progress } = givenDrift();
    const inode = statSync(path('progress.json')).ino;
    expect((await drift(true)).parsed).toEqual({
      drift: true,
      currentStep: 0,
      derivedStep: 2,
      written: true,
      sessionState: 'refreshed',
    });
    const after = JSON.parse(read('progress.json'));
    expect(after).toMatchObject({
      current_step: 2,
      updated_at: '2026-01-22T12:00:00.000Z',
      keep: { me: true },
      steps: {
        1: { commit: first, status: 'completed', note: 'reconciled from git' },
        2: { commit: second, status: 'completed', note: 'reconciled from git' },
      },
    });
    expect(after.started_at).toBe(JSON.parse(progress()).started_at);
    expect(statSync(path('progress.json')).ino).not.toBe(inode);
    const text = read('progress.json');
    expect((await drift(true)).parsed).toMatchObject({ drift: false, currentStep: 2, derivedStep: 2, written: false });
    expect(read('progress.json')).toBe(text);
  });
  it('is none where the progress is ahead of git', async () => {
    const { drift, write, read, progress, second } = givenDrift();
    const ahead = progress({ current_step: 2, session_start_sha: second });
    write('progress.json', ahead);
    expect((await drift(true)).parsed).toMatchObject({ drift: false, derivedStep: 2, written: false });
    expect(read('progress.json')).toBe(ahead);
  });
  it.each<[string, Record<string, string | null>]>([
    ['there is no progress.json', { 'progress.json': null }],
    ['progress.json is not valid', { 'progress.json': '{' }],
    ['progress.json has no session_start_sha', { 'progress.json': givenProgress() }],
    [
      'git cannot list the commits since session_start_sha',
      { 'progress.json': givenProgress({ session_start_sha: 'f'.repeat(40) }) },
    ],
    ['session_start_sha is no commit', { 'progress.json': givenProgress({ session_start_sha: '--all' }) }],
    ['there is no plan.md', { 'plan.md': null }],
    ['plan.md is not valid', { 'plan.md': givenPlan([]) }],
    [
      'devflow cannot match the pattern of step 1 (lookaround, a backreference, or too large)',
      { 'plan.md': givenPlan([givenStep(1, 'x', givenManifest({ commit_message_pattern: "'^(.+)+$(?=x)'" }))]) },
    ],
  ])('is not looked for: %s', async (why, files) => {
    const { drift, write, path, commit } = givenDrift();
    commit({ long: '' }, 'a'.repeat(60));
    for (const [name, text] of Object.entries(files)) {
      if (text === null) rmSync(path(name));
      else write(name, text);
    }
    const report = await drift(true);
    expect([report.valid, codes(report.warnings)]).toEqual([true, ['PROGRESS_DRIFT_UNCHECKED']]);
    expect(report.warnings[0].message).toContain(why);
    expect(report.parsed).toMatchObject({ drift: false, written: false });
  });
  it('is not looked for without git', async () => {
    const { drift, dir } = givenDrift();
    rmSync(join(dir, '.git'), { recursive: true });
    expect((await drift()).warnings[0].message).toContain('in no git repository');
  });
  it('asks no repository that an agent made inside the project', async () => {
    const { drift, path, gitIn } = givenDrift();
    gitIn(path('.'), 'init', '-q');
    expect((await drift()).parsed.derivedStep).toBe(2);
  });
  it('is not written where a run owns the project', async () => {
    const { drift, read, progress } = givenDrift({ isInUse: true });
    expect((await drift()).parsed.drift).toBe(true);
    expect((await refusalOf(drift(true)))[0]).toBe('contract_in_use');
    expect(read('progress.json')).toBe(progress());
  });
  it('is written through no link', async () => {
    const { drift, path, outside, progress } = givenDrift();
    writeFileSync(join(outside, 'progress.json'), progress());
    rmSync(path('progress.json'));
    symlinkSync(join(outside, 'progress.json'), path('progress.json'));
    expect((await drift(true)).warnings[0].message).toContain('progress.json is not valid');
    expect(readFileSync(join(outside, 'progress.json'), 'utf8')).toBe(progress());
  });
});

describe('HC-7.12: the refresh of a session state', () => {
  it('changes updated_at only, and lets git ignore the file', async () => {
    const { drift, read, dir, git } = givenDrift();
    git('rm', '-q', '--cached', `${PROJECT}/${STATE}`);
    await drift(true);
    expect(read(STATE)).toBe(givenState({ extra: [1], updated_at: '2026-01-22T12:00:00.000Z' }));
    expect(git('status', '--porcelain', '--untracked-files=all')).not.toContain(`?? ${PROJECT}/${STATE}`);
    expect(existsSync(join(dir, '.gitignore'))).toBe(false);
    await drift(true);
    expect(readFileSync(join(dir, '.git/info/exclude'), 'utf8').match(/^\*\.local\.json$/gm)).toHaveLength(1);
  });
  it('HC-7.2: keeps what git is told to ignore already', async () => {
    const { drift, dir } = givenDrift();
    mkdirSync(join(dir, '.git/info'), { recursive: true });
    writeFileSync(join(dir, '.git/info/exclude'), 'mine');
    await drift(true);
    expect(readFileSync(join(dir, '.git/info/exclude'), 'utf8')).toBe(
      'mine\n*.local.json\nNEXT-SESSION-PROMPT.local.md\n',
    );
  });
  it('touches nothing that a file .git of an agent names', async () => {
    const { drift, dir, outside } = givenDrift();
    rmSync(join(dir, '.git'), { recursive: true });
    writeFileSync(join(dir, '.git'), `gitdir: ${outside}\n`);
    expect((await drift(true)).parsed.sessionState).toBe('refreshed');
    expect(readdirSync(outside)).toEqual([]);
  });
  it.each([
    ['absent', null, null],
    ['invalid', '{', null],
    ['left alone', givenState({ status: 'stopped' }), null],
    ['left alone', givenState(), givenPrompt()],
  ])('%s: it writes nothing', async (sessionState, state, prompt) => {
    const { drift, write, path } = givenDrift();
    rmSync(path(STATE));
    if (state !== null) write(STATE, state);
    if (prompt !== null) write(PROMPT, prompt);
    expect((await drift(true)).parsed.sessionState).toBe(sessionState);
    expect(existsSync(path(STATE)) ? readFileSync(path(STATE), 'utf8') : null).toBe(state);
  });
});
