import { DRAFT_CODES } from '../schemas/lint/draftCodes.ts';
import { LINT_CODES, type LintRule } from '../schemas/lint/lintCodes.ts';

type Table = (head: string[], rows: string[][]) => string;

const INTRODUCTION =
  '`devflow template lint` and `devflow persona lint` report these codes (`schemas/lint/lintCodes.ts`), each with file, line and column. An error is what devflow refuses, or what no template should do. A warning is worth a look. A code is never renamed or used again for something else.';

const DRAFTS =
  'The draft of `devflow template draft` is checked by lint, by the walk of `devflow template rehearse`, and by these rules. Its author hears every fault, three times.';

const SECTIONS: readonly [of: LintRule['of'], title: string][] = [
  ['both', 'Templates and personas'],
  ['template', 'Templates'],
  ['persona', 'Personas'],
];

/** Title, introduction and sections of `docs/lint.md`. */
export function lintDocument(table: Table): [string, string, ...string[]] {
  const rules: [string, LintRule][] = Object.entries(LINT_CODES);
  const sections = SECTIONS.map(([wanted, title]) => {
    const rows = rules
      .filter(([, { of }]) => of === wanted)
      .map(([code, { severity, means, hint, example }]) => [
        `\`${code}\``,
        severity,
        cell(means),
        cell(hint),
        `\`${cell(example)}\``,
      ]);
    return `## ${title}\n\n${table(['code', 'severity', 'what is wrong', 'what to do', 'example'], rows)}`;
  });
  const drafts = Object.entries(DRAFT_CODES).map(([code, { means, hint }]) => [`\`${code}\``, cell(means), cell(hint)]);
  return [
    'Lint codes',
    INTRODUCTION,
    ...sections,
    `## Drafts\n\n${DRAFTS}\n\n${table(['code', 'what is wrong', 'what the author does'], drafts)}`,
  ];
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
