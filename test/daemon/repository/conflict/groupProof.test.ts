import { describe, expect, it } from 'vitest';
import type { Versions } from '../../../../daemon/repository/conflict/goneLines.ts';
import { groupProof, type ResolvedHunk } from '../../../../daemon/repository/conflict/groupProof.ts';

const VERSIONS: Versions = {
  base: 'start\n',
  ours: 'start\nread(name)\n',
  theirs: 'start\ntrim(name)\n',
  result: 'start\nread(name)\n',
};
const hunk = (more: Partial<ResolvedHunk> = {}): ResolvedHunk => ({
  path: 'src/a.ts',
  decision: 'ours',
  dropped: [],
  reason: 'because',
  ...more,
});
const prove = (hunks: ResolvedHunk[], versions: Partial<Versions> = {}, paths = ['src/a.ts']) =>
  groupProof(paths, { ...VERSIONS, ...versions }, hunks);

describe('the proof of one resolved conflict', () => {
  it('asks for lines that are gone and not listed', () => {
    expect(prove([hunk()]).faults).toEqual([
      'Lines that one side added to src/a.ts are gone. Put them back, or list each under dropped with the reason:\n  theirs: trim(name)',
    ]);
  });
  it('takes listed lines, in any hunk of the file and several in one text', () => {
    const dropped = [{ side: 'theirs' as const, text: 'other\n  trim(name)\n' }];
    expect(prove([hunk(), hunk({ dropped })])).toEqual({ faults: [], droppedTests: [] });
    expect(prove([hunk({ dropped }), hunk({ path: 'src/b.ts' })]).faults).toEqual([]);
    expect(prove([hunk(), hunk({ path: 'src/b.ts', dropped })]).faults).toHaveLength(1);
  });
  it('needs a hunk for one file of the conflict', () => {
    const result = 'start\nread(name)\ntrim(name)\n';
    expect(prove([], { result }).faults).toEqual(['The artifact says nothing about the conflict in src/a.ts.']);
    expect(prove([hunk()], { result }, ['src/a.ts', 'src/old.ts']).faults).toEqual([]);
  });
  it('refuses conflict markers, and says where', () => {
    expect(prove([hunk()], { result: 'start\n<<<<<<< 1f\n' }).faults).toEqual([
      'src/a.ts still has conflict markers: line 2: <<<<<<< 1f.',
    ]);
  });
  it('quotes at most twenty lines', () => {
    const ours = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join('');
    const [fault = ''] = prove([hunk()], { base: '', ours, theirs: '', result: '' }).faults;
    expect(fault.split('\n')).toHaveLength(22);
    expect(fault).toContain('\n  and 10 more');
  });
  it('names tests and lines of tests that are gone, also if they are listed', () => {
    const theirs = "start\nit('trims', () => {\n  expect(trim(name))\n});\n";
    const dropped = [{ side: 'theirs' as const, text: "it('trims', () => {\n  expect(trim(name))" }];
    const path = 'src/a.test.ts';
    expect(prove([hunk({ path, dropped })], { theirs }, [path])).toEqual({
      faults: [],
      droppedTests: ['src/a.test.ts: the test "trims"', 'src/a.test.ts: expect(trim(name))'],
    });
    expect(prove([hunk({ dropped })], { theirs }).droppedTests).toEqual(['src/a.ts: the test "trims"']);
  });
  it('names a test that both sides have and the resolution lost', () => {
    const both = "test('starts', f);\n";
    const { faults, droppedTests } = prove([hunk()], { base: both, ours: both, theirs: both, result: 'start\n' });
    expect([faults, droppedTests]).toEqual([[], ['src/a.ts: the test "starts"']]);
  });
});
