import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { findReentry } from '../../../../daemon/engine/local/reentry.ts';
import { nextStep } from '../../../../schemas/contracts/autodev/nextStep.ts';
import { POINTER_FILE } from '../../../../schemas/contracts/autodev/pointer.ts';
import { renderPointer } from '../../../../schemas/contracts/autodev/renderPointer.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { files, givenPointer, PROBLEM } from '../../../schemas/contracts/autodev/given.ts';

const template = (flow: string) =>
  Template.parse(parse(readFileSync(join(packageRoot(), 'schemas', 'templates', `autodev-${flow}@1.yaml`), 'utf8')));

function given(contents: Record<string, string>): string {
  const repo = mkdtempSync(join(tmpdir(), 'devflow-reentry-'));
  onTestFinished(() => rmSync(repo, { recursive: true }));
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  return repo;
}

/** What greenfield leaves at its end. */
const FINISHED = {
  ...PROBLEM,
  ...files(
    ...['_docs/01_solution/solution.md', '_docs/02_document/architecture.md', '_docs/02_tasks/done/1.md'],
    ...['_docs/03_implementation/implementation_report_all.md', 'src/a.ts'],
  ),
  [POINTER_FILE]: renderPointer(nextStep(givenPointer({ step: 11, name: 'Retrospective' }))),
};

test('AD-31 AD-36 a finished greenfield project goes on with the flow existing-code', () => {
  const repo = given(FINISHED);
  const evidence = 'no-baseline';
  expect(findReentry(template('existing-code'), repo, 0)).toEqual({
    skips: [{ phase: 'document', reason: 'already done', evidence }],
    cycle: 1,
  });
  expect(() => findReentry(template('greenfield'), repo, 0)).toThrow('The flow greenfield is done here.');
});
