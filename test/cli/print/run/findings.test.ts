import { expect, test } from 'vitest';
import { widthOf } from '../../../../cli/client/textWidth.ts';
import { printFindings } from '../../../../cli/print/run/findings.ts';
import type { FindingView } from '../../../../schemas/rpc/views/findings.ts';
import { FINDINGS, givenFinding } from '../../../helpers/givenFinding.ts';
import { fakeIo } from '../../fakeIo.ts';

function printed(findings: readonly FindingView[], columns = Number.POSITIVE_INFINITY, notes: string[] = []): string {
  const io = fakeIo({ columns });
  printFindings(io, { findings: [...findings], notes }, 'There are none.');
  return io.written.out;
}

test('groups findings, open blockers first, with state, reporters, reason and evidence', () => {
  expect(printed(FINDINGS)).toMatchInlineSnapshot(`
    "Blockers
    critical  src/greet.ts:12  An empty name gives a greeting without a name
              failure: greet('') returns 'Hello, '.
              confirmed, found by claude, codex
              verifier (codex): Nothing checks the name before line 12.
              evidence: test/greet.test.ts has no case for it.
    high      src/shell.ts:40  The name reaches a shell
              failure: greet('') returns 'Hello, '.
              disputed, found by claude
              verifier (codex): Nothing checks the name before line 12.
              evidence: test/greet.test.ts has no case for it.
    medium    src/late.ts:9    It never ends
              failure: greet('') returns 'Hello, '.
              confirmed, found by claude, codex
              verifier (codex): Nothing checks the name before line 12.
              evidence: test/greet.test.ts has no case for it.

    Reported only
    low       README.md:4      The example lacks the option --name
              failure: greet('') returns 'Hello, '.
              reported, too late to count, found by claude

    Fixed or accepted
    high      src/parse.ts:3   A file that is not JSON ends the program
              failure: greet('') returns 'Hello, '.
              fixed, found by claude, codex
              verifier (codex): Nothing checks the name before line 12.
              evidence: test/greet.test.ts has no case for it.

    Rejected or duplicate
    high      src/a.ts:1       The import is unused
              failure: greet('') returns 'Hello, '.
              rejected, found by claude
              verifier (codex): Nothing checks the name before line 12.
              evidence: test/greet.test.ts has no case for it.
    high      src/greet.ts:14  The name is not checked
              failure: greet('') returns 'Hello, '.
              duplicate, the same as src/greet.ts:12, found by claude
              verifier (codex): Nothing checks the name before line 12.
              evidence: test/greet.test.ts has no case for it.

    3 findings block the change. 7 findings in total.
    "
  `);
});

test('says what to know of the review, also without findings', () => {
  expect(printed([], 80, ['Low signal.'])).toBe('There are none.\nLow signal.\n');
  expect(printed([givenFinding()], 80, ['Low\u001b signal.'])).toMatch(/total\.\nLow␛ signal\.\n$/);
});

test('wraps reasons and cuts summaries in a narrow terminal', () => {
  const long = 'Nothing checks the name before line 12, and no caller does. '.repeat(4);
  const { resolution } = givenFinding();
  const shown = printed(
    [givenFinding({ summary: long, resolution: resolution && { ...resolution, reason: long } })],
    60,
  );
  for (const line of shown.split('\n').slice(0, -2)) expect(widthOf(line)).toBeLessThanOrEqual(60);
  expect(shown).toContain('…\n');
  expect(shown.match(/no\s+caller\s+does/g)?.length).toBeGreaterThanOrEqual(4);
});

test('shows hostile text of agents as visible text, in its line', () => {
  const evil = 'x\n\u001b[2J\u202e日本';
  const { resolution } = givenFinding();
  const given = givenFinding({
    path: evil,
    summary: evil,
    failure: evil,
    evidence: [evil],
    resolution: resolution && { ...resolution, reason: evil },
  });
  expect(printed([given]).split('\n')).toHaveLength(printed([givenFinding()]).split('\n').length);
  for (const sign of ['\u001b', '\u202e']) expect(printed([given])).not.toContain(sign);
});
