import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { FLOWS } from '../../../../schemas/contracts/autodev/flows.ts';
import { FLOW_NAMES, type Pointer, STATUSES } from '../../../../schemas/contracts/autodev/pointer.ts';
import { readPointer } from '../../../../schemas/contracts/autodev/readPointer.ts';
import { renderPointer } from '../../../../schemas/contracts/autodev/renderPointer.ts';
import { quoted } from '../../../../schemas/contracts/autodev/scalar.ts';
import { updatePointer } from '../../../../schemas/contracts/autodev/updatePointer.ts';
import { givenPointer } from './given.ts';

/** Any text, and often one with characters that mean something to YAML or Markdown. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '"',
          "'",
          '\\',
          ': ',
          ' #',
          '\n',
          '\r\n',
          '\r',
          '\t',
          '\0',
          '\u2028',
          '\u0085',
          '\uFEFF',
          '\uD800',
          '\uDC00',
        ],
        ...[
          '```',
          '## ',
          '---',
          '{',
          '}',
          '- ',
          'flow: x',
          'step: 1',
          '\\u0041',
          '\\"',
          '|',
          '>',
          'null',
          '~',
          'é',
          '😀',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

const anyPointer: fc.Arbitrary<Pointer> = fc
  .record({
    flow: fc.constantFrom(...FLOW_NAMES),
    at: fc.nat({ max: 16 }),
    status: fc.constantFrom(...STATUSES),
    phase: fc.oneof(fc.constant(0), fc.nat()),
    name: fc.stringMatching(/^[a-z0-9]{1,5}(-[a-z0-9]{1,5}){0,3}$/),
    detail: hostileText,
    retries: fc.nat({ max: 3 }),
    cycle: fc.integer({ min: 1, max: 9999 }),
  })
  .map(({ flow, at, status, phase, name, detail, retries, cycle }) => {
    const { steps } = FLOWS[flow];
    const step = (at % steps.length) + 1;
    return {
      flow,
      step,
      name: steps[step - 1] as string,
      status: retries === 3 ? ('failed' as const) : status,
      sub_step: { phase, name, detail },
      retry_count: retries,
      cycle: flow === 'existing-code' ? cycle : 1,
    };
  });

function read(text: string): Pointer | null {
  return readPointer({ ok: true, text }).pointer;
}

/** As a file keeps it. */
function throughBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}

describe('AD-32: what is written is what is read', () => {
  it('for any pointer, whatever its detail', () => {
    fc.assert(
      fc.property(anyPointer, (pointer) => {
        expect(read(throughBytes(renderPointer(pointer)))).toEqual(pointer);
      }),
      { numRuns: 1000 },
    );
  });
  it('also by programs that read YAML', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(quoted(text)).not.toMatch(/[\r\n\u0085\u2028\u2029]/);
        fc.pre(text.isWellFormed());
        expect(parse(quoted(text))).toBe(text);
      }),
    );
  });
  it('in the place of any other text', () => {
    fc.assert(
      fc.property(
        fc.oneof(hostileText, anyPointer.map(renderPointer)),
        hostileText,
        anyPointer,
        (old, rest, pointer) => {
          expect(read(throughBytes(updatePointer(`${old}\n${rest}`, pointer)))).toEqual(pointer);
        },
      ),
      { numRuns: 1000 },
    );
  });
  it('twice is the same as once', () => {
    fc.assert(
      fc.property(hostileText, anyPointer, (old, pointer) => {
        const once = updatePointer(old, pointer);
        expect(updatePointer(once, pointer)).toBe(once);
      }),
    );
  });
});

test('AD-32: the line ends of a file stay those of its first line', () => {
  const asOnWindows = (text: string) => text.replaceAll('\n', '\r\n');
  const text = `${renderPointer(givenPointer())}\n## Notes\n\nAsk Ann.\n`;
  const moved = givenPointer({ step: 5, name: 'Decompose' });
  expect(updatePointer(asOnWindows(text), moved)).toBe(asOnWindows(updatePointer(text, moved)));
  expect(updatePointer('Prose.\r\n', moved)).toBe(asOnWindows(renderPointer(moved)));
});

test('AD-2: further sections stay when the pointer moves', () => {
  const text = `${renderPointer(givenPointer())}\n## Notes\n\nAsk Ann.\n`;
  const moved = givenPointer({ step: 5, name: 'Decompose' });
  expect(updatePointer(text, moved)).toBe(`${renderPointer(moved)}\n## Notes\n\nAsk Ann.\n`);
  const fenced = `# Autodev State\n\n## Current Step\n\`\`\`\n${renderPointer(givenPointer()).split('\n').slice(2).join('\n')}\`\`\`\n`;
  expect(updatePointer(fenced, moved)).toBe(
    fenced.replace('step: 3', 'step: 5').replace('name: Plan', 'name: Decompose'),
  );
});

test('AD-4: a write indents the sub-step, and gives the headings', () => {
  const flat = renderPointer(givenPointer()).replaceAll('\n  ', '\n').split('\n').slice(2).join('\n');
  expect(readPointer({ ok: true, text: flat }).findings).toMatchObject([{ code: 'AUTODEV_FLAT_SUBSTEP' }]);
  expect(updatePointer(flat, givenPointer())).toBe(renderPointer(givenPointer()));
});
