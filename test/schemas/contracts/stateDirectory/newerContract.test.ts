import { describe, expect, it, test } from 'vitest';
import { checkContracts } from '../../../../schemas/contracts/checkContracts.ts';
import { auditState } from '../../../../schemas/contracts/stateDirectory/audit.ts';
import { STATE_CONTRACTS } from '../../../../schemas/contracts/stateDirectory/contract.ts';
import { planEvict, planInit } from '../../../../schemas/contracts/stateDirectory/evict.ts';
import { planCleanup, planReset } from '../../../../schemas/contracts/stateDirectory/plans.ts';
import { checkReferences } from '../../../../schemas/contracts/stateDirectory/references.ts';
import { validateState } from '../../../../schemas/contracts/stateDirectory/validate.ts';
import { codes, type GivenEntry, givenState, NOW, names } from './given.ts';

/** What devt 0.244.0 leaves in its state directory. */
const TODAY: Readonly<Record<string, string | GivenEntry>> = {
  'workflow-id-rotations.jsonl': '{}\n',
  'gate-trace.jsonl': '{}\n',
  'status.json': '{}',
  threads: { kind: 'dir' },
  'threads/login.md': 'x',
  'lane-files': { kind: 'dir' },
  project: { kind: 'dir' },
  'hook-trace': { kind: 'dir' },
  'plan-x.md': 'x',
  'review-lane-api.json': '{}',
  'lane-diff-L1.txt': 'x',
  'rubric-dev.md': 'x',
  'claim-checks.archive-2026-08-01T10:00:00.jsonl': '{}\n',
};
const workflow = (active: boolean) =>
  `active: ${active}\nfirst_created_at: "${new Date(NOW).toISOString()}"\ncreated_at: "${new Date(NOW).toISOString()}"\n`;

describe("a directory of today's devt", () => {
  it('is judged by the newer contract, and has nothing that is foreign', () => {
    const report = auditState(givenState(TODAY));
    expect([report.contract, report.valid, codes(report)]).toEqual(['devt/state-directory@2', true, []]);
    expect(report.parsed.newerNames).toContain('threads');
    const old = auditState(givenState({ 'plan.md': 'x' }));
    expect([old.contract, old.parsed.newerNames]).toEqual(['devt/state-directory@1', []]);
  });

  it.each(STATE_CONTRACTS[1]?.marks.directories ?? [])('is known by its directory %s', (name) => {
    const [filled, empty, link] = [{ [name]: { kind: 'dir' as const }, [`${name}/a.md`]: 'x' }, 'dir', 'link'].map(
      (given) => auditState(givenState(typeof given === 'string' ? { [name]: { kind: given as 'dir' } } : given)),
    );
    expect([filled?.valid, empty?.valid, link?.valid]).toEqual([true, false, false]);
  });

  it('loses nothing to a cleanup, and a reset spares its threads and what belongs to the project', () => {
    expect(planCleanup(givenState(TODAY)).actions).toEqual([]);
    expect(planReset(givenState(TODAY))).toMatchObject({
      contract: 'devt/state-directory@2',
      kept: ['gate-trace.jsonl', 'project', 'threads', 'workflow-id-rotations.jsonl'],
    });
  });

  it('keeps the gate markers of its active workflow', () => {
    const files = { ...TODAY, 'graph-impact.md': 'x', 'consolidator-ran.txt': { text: 'x', age: 1 } };
    const evicted = (active: boolean) =>
      names(planEvict(givenState({ ...files, 'workflow.yaml': workflow(active) })).actions);
    expect(evicted(true)).toEqual(['consolidator-ran.txt']);
    expect(evicted(false)).toEqual(['consolidator-ran.txt', 'graph-impact.md']);
  });

  it('keeps what is ad hoc when a workflow begins, and not when a person cleans up', () => {
    const old = { text: 'x', age: 30 };
    const tree = givenState({ ...TODAY, 'mine.txt': old, 'a.tmp': old });
    expect(names(planInit(tree).cleanup.actions)).toEqual(['a.tmp']);
    expect(names(planCleanup(tree).actions)).toEqual(['a.tmp', 'mine.txt']);
    expect(names(planInit(givenState({ 'mine.txt': old, 'a.tmp': old })).cleanup.actions)).toEqual([
      'a.tmp',
      'mine.txt',
    ]);
  });

  it('has a status PARTIAL, and the criteria of its verifier', () => {
    const contents = {
      'arch-review.md': '## Status: PARTIAL\n',
      'impl-summary.json': '{"status":"PARTIAL"}',
      'acceptance-criteria.json': '{}',
    };
    expect(codes(validateState(givenState({ ...TODAY, ...contents })))).toEqual([
      'INPUT_MISSING_FIELD',
      'INPUT_MISSING_RECOMMENDED',
      'INPUT_MISSING_RECOMMENDED',
    ]);
    const { 'acceptance-criteria.json': _, ...older } = contents;
    expect(codes(validateState(givenState(older)))).toEqual(['STATUS_INVALID', 'SIDECAR_STATUS_UNLISTED']);
  });
});

test('a name that only the newer contract knows is ad hoc, and the finding says so', () => {
  const { errors } = auditState(givenState({ 'plan-x.md': 'x', 'foo.txt': 'x', notes: { kind: 'dir' } }));
  expect(errors.map(({ message }) => message)).toEqual([
    'The name foo.txt matches nothing in the contract.',
    'The directory notes matches nothing in the contract.',
    'The name plan-x.md matches nothing in the contract. It is newer than devt/state-directory@1: devt/state-directory@2 knows it.',
  ]);
  const [first, second] = STATE_CONTRACTS;
  const text = 'Read .devt/state/plan-x.md.';
  const found = STATE_CONTRACTS.map((contract) => codes(checkReferences([{ file: 'a.md', text }], contract)));
  expect([first?.id, second?.id, found]).toEqual([
    'devt/state-directory@1',
    'devt/state-directory@2',
    [['STATE_REFERENCE_UNKNOWN'], []],
  ]);
});

describe('CC-2: contract check', () => {
  it('checks a newer directory when the older contract is asked for, and says so', () => {
    const check = (contract: string) => checkContracts(givenState({ ...TODAY, 'foo.txt': 'x' }), { contract });
    const { errors, warnings } = check('devt/state-directory@1');
    expect(errors.map(({ code }) => code)).toEqual(['STATE_AD_HOC']);
    expect(warnings[0]).toMatchObject({
      code: 'STATE_NEWER',
      message: '.devt/state is newer than devt/state-directory@1: devt/state-directory@2 judges it.',
    });
    for (const each of ['devt/state-directory@2', 'devt']) expect(codes(check(each))).toEqual(['STATE_AD_HOC']);
    expect(() => check('devt/state-directory@3')).toThrow(expect.objectContaining({ code: 'contract_not_found' }));
  });
  it('checks an older directory when the newer contract is asked for', () => {
    const report = checkContracts(givenState({ 'foo.txt': 'x' }), { contract: 'devt/state-directory@2' });
    expect(codes(report)).toEqual(['STATE_AD_HOC']);
  });
});
