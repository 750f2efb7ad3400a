import { expect, test } from 'vitest';
import { printLint } from '../../../../cli/print/definition/lint.ts';
import { printTemplateDiff } from '../../../../cli/print/definition/templateDiff.ts';
import type { LintReport, TemplateChange } from '../../../../schemas/rpc/views/lint.ts';
import { fakeIo } from '../../fakeIo.ts';

const finding = (severity: 'error' | 'warning', more: Partial<LintReport['findings'][number]> = {}) => ({
  code: 'unused_role',
  severity,
  file: 'mine@1.yaml',
  line: 3,
  column: 9,
  path: 'roles.0',
  message: 'no phase uses the role coder',
  hint: 'Remove it.',
  ...more,
});
const report = (...findings: LintReport['findings']): LintReport => ({
  name: 'mine',
  version: 1,
  hash: 'a'.repeat(64),
  findings,
  more: false,
});

function printed(reports: LintReport[], options: { json?: boolean; strict?: boolean } = {}) {
  const io = fakeIo();
  return { code: printLint(io, reports, options), out: io.written.out };
}

test('prints each finding with what to do, and counts them', () => {
  const reports = [report(finding('error'), finding('warning', { code: 'pushes', line: 7 })), report()];
  expect(printed(reports)).toEqual({
    code: 1,
    out: 'mine@1.yaml:3:9: error unused_role: no phase uses the role coder\n  Remove it.\nmine@1.yaml:7:9: warning pushes: no phase uses the role coder\n  Remove it.\n1 error and 1 warning in 2 texts.\n',
  });
});

test('warnings fail only a strict lint', () => {
  expect(printed([report(finding('warning'))]).code).toBe(0);
  expect(printed([report(finding('warning'))], { strict: true }).code).toBe(1);
  expect(printed([report()], { strict: true })).toEqual({ code: 0, out: '0 errors and 0 warnings in 1 text.\n' });
});

test('says that findings were left out', () => {
  expect(printed([{ ...report(finding('error')), more: true }]).out).toMatch(
    /^At least 1 error and 0 warnings in 1 text\.$/m,
  );
});

test('prints the reports as JSON', () => {
  const reports = [report(finding('error'))];
  const { code, out } = printed(reports, { json: true });
  expect([code, JSON.parse(out)]).toEqual([1, reports]);
});

test('shows hidden characters of a text', () => {
  const { out } = printed([report(finding('error', { file: 'a\u001b.yaml', message: 'x\u202e\ny' }))]);
  expect(out).toMatch(/^a␛\.yaml:3:9: error unused_role: x<U\+202E>␊y$/m);
});

test('prints each difference on a line', () => {
  const io = fakeIo();
  const side = (version: number) => ({ name: 'mine', version, hash: String(version).repeat(64) });
  const changes: TemplateChange[] = [
    { change: 'changed', of: 'template', id: null, field: 'exchange', to: 'cycle' },
    { change: 'added', of: 'role', id: 'new', field: null },
    { change: 'removed', of: 'phase', id: 'b', field: null },
    { change: 'moved', of: 'phase', id: 'c', field: null, from: 'b', to: null },
    { change: 'changed', of: 'phase', id: 'a', field: 'gates', from: [], to: ['seen'] },
    { change: 'changed', of: 'phase', id: 'a', field: 'instructions', from: 'x\ny\n', to: 'x\nz\nz\n' },
  ];
  printTemplateDiff(io, { from: side(1), to: side(2), changes });
  expect(io.written.out).toBe(`from  mine@1 111111111111
to    mine@2 222222222222
~ template: exchange: nothing → cycle
+ role new
- phase b
> phase c: moved from after b to the beginning
~ phase a: gates: [] → ["seen"]
~ phase a: instructions: 1 line removed, 2 lines added
`);
});
