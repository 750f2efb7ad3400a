import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenState, PROJECT } from '../../schemas/contracts/handover/given.ts';
import { refusalOf } from './givenDirectories.ts';
import { codes, given, PROMPT, STATE } from './givenProject.ts';

describe('HC-7.1: the next session', () => {
  const next = (made: ReturnType<typeof given>, project = PROJECT) => made.call('handover.next', { project });

  it('begins with three lines and the path', async () => {
    const made = given({ [STATE]: givenState(), 'brief.md': '' });
    expect(await next(made)).toMatchObject({ resumable: true, briefPath: `${PROJECT}/brief.md`, warnings: [] });
    expect(await next(made, join(made.dir, PROJECT))).toMatchObject({ resumable: true });
  });
  it('is a cold start without a state', async () => {
    const made = given();
    for (const [project, what] of [
      [PROJECT, 'session-state'],
      ['nowhere', 'project'],
    ] as const) {
      expect(await refusalOf(next(made, project))).toEqual(['contract_not_found', { what }]);
    }
    await expect(next(made)).rejects.toThrow('no active multi-session project here');
  });
  it('is refused with the findings of a broken state, and of one that is a link', async () => {
    const made = given({ [STATE]: givenState({ status: 'x' }) });
    expect(await refusalOf(next(made))).toMatchObject([
      'contract_invalid',
      { errors: [{ code: 'SESSION_STATE_INVALID_STATUS', path: `${PROJECT}/${STATE}` }] },
    ]);
    rmSync(made.path(STATE));
    symlinkSync(join(made.outside, 'x'), made.path(STATE));
    expect(await refusalOf(next(made))).toMatchObject([
      'contract_invalid',
      { errors: [{ code: 'SESSION_STATE_READ_ERROR' }] },
    ]);
  });
  it.each(['brief.md', '../outside/file', '/etc/passwd', '.', `${PROJECT}`, 'link.md', 'a\0b'])(
    'HC-7.8: warns of the brief %j, which is not in the repository',
    async (path) => {
      const made = given({ [STATE]: givenState({ next_session_brief_path: path }) });
      writeFileSync(join(made.outside, 'file'), '');
      symlinkSync('/etc/passwd', join(made.dir, 'link.md'));
      expect(codes((await next(made)).warnings)).toEqual(['SESSION_STATE_BRIEF_NOT_FOUND']);
    },
  );
  it('HC-7.8: counts the path from the directory above .claude, else of .git', async () => {
    const made = given({ [STATE]: givenState() });
    made.write('brief.md', '');
    const inner = join(made.dir, 'loose/inner');
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, STATE), givenState());
    for (const [repo, project] of [
      [made.dir, PROJECT],
      [join(made.dir, '.claude'), PROJECT.slice('.claude/'.length)],
      [join(made.dir, 'loose'), 'inner'],
    ]) {
      expect((await made.call('handover.next', { repo, project })).warnings).toEqual([]);
    }
  });
});

describe('HC-7.9: a cleanup', () => {
  const done = givenState({ status: 'completed' });
  const cleanup = (made: ReturnType<typeof given>, apply = false) =>
    made.call('handover.cleanup', { project: PROJECT, apply });

  it('is a dry run first, and then removes both files and nothing else', async () => {
    const made = given({ [STATE]: done, [PROMPT]: 'x', 'brief.md': 'b' });
    const plan = await cleanup(made);
    expect(plan).toMatchObject({
      applied: false,
      files: { state: 'found', prompt: 'found' },
      totalBytes: done.length + 1,
    });
    expect(readdirSync(made.path('.'))).toHaveLength(3);
    const applied = await cleanup(made, true);
    expect(applied).toMatchObject({ applied: true, files: { state: 'removed', prompt: 'removed' } });
    expect(applied.actions.map(({ path, status }: { path: string; status: string }) => [path, status])).toEqual([
      [`${PROJECT}/${STATE}`, 'done'],
      [`${PROJECT}/${PROMPT}`, 'done'],
    ]);
    expect(readdirSync(made.path('.'))).toEqual(['brief.md']);
  });
  it('HC-7.11: again says what was not found, and makes nothing', async () => {
    const made = given({ [PROMPT]: 'x' });
    expect(await cleanup(made, true)).toMatchObject({ files: { state: 'not found', prompt: 'removed' } });
    expect(await cleanup(made, true)).toMatchObject({
      actions: [],
      files: { state: 'not found', prompt: 'not found' },
    });
    expect(readdirSync(made.path('.'))).toEqual([]);
  });
  it.each([
    ['in_progress', givenState()],
    [null, '{'],
  ])('is refused with status %s, with apply and without', async (status, state) => {
    const made = given({ [STATE]: state, [PROMPT]: 'x' });
    for (const apply of [false, true]) {
      expect(await refusalOf(cleanup(made, apply))).toMatchObject(['handover_cleanup_refused', { status }]);
    }
    expect(readdirSync(made.path('.'))).toEqual([STATE, PROMPT]);
  });
  it('removes a link and not what it names, and says of a directory that it stays', async () => {
    const made = given({ [STATE]: done });
    writeFileSync(join(made.outside, 'file'), 'x');
    symlinkSync(join(made.outside, 'file'), made.path(PROMPT));
    await cleanup(made, true);
    expect([existsSync(join(made.outside, 'file')), readdirSync(made.path('.'))]).toEqual([true, []]);
    mkdirSync(made.path(PROMPT));
    expect(await cleanup(made, true)).toMatchObject({ actions: [{ status: 'error' }], files: { prompt: 'found' } });
  });
  it('is refused where a run owns the project', async () => {
    const made = given({ [STATE]: done }, { isInUse: true });
    expect((await cleanup(made)).applied).toBe(false);
    expect((await refusalOf(cleanup(made, true)))[0]).toBe('contract_in_use');
    expect(existsSync(made.path(STATE))).toBe(true);
  });
  it('works from inside of the project, and not outside of the repository', async () => {
    const made = given({ [STATE]: done });
    writeFileSync(join(made.outside, STATE), done);
    for (const method of ['handover.cleanup', 'handover.drift'] as const) {
      expect((await refusalOf(made.call(method, { project: '../outside', apply: true })))[0]).toBe('usage');
    }
    expect(existsSync(join(made.outside, STATE))).toBe(true);
    await made.call('handover.cleanup', { repo: made.path('.'), project: '.', apply: true });
    expect(readdirSync(made.path('.'))).toEqual([]);
  });
});
