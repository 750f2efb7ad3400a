import type { Report } from '../../../../schemas/contracts/report/report.ts';
import type { Entry, FileText, TreeSnapshot } from '../../../../schemas/contracts/report/tree.ts';

export const PROJECT = '.claude/projects/2026-01-22-login';
export const IDS = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [string, string, string, string];

/** Frontmatter of given values; a field of undefined is left out. */
export function frontmatter(fields: Record<string, unknown>): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!Array.isArray(value)) return [`${name}: ${value}`];
    return value.length === 0 ? [`${name}: []`] : [`${name}:`, ...value.map((item) => `  - ${item}`)];
  });
  return ['---', ...lines, '---', ''].join('\n');
}

export function sections(names: readonly string[]): string {
  return names.map((name) => `## ${name}\n\ntext\n`).join('\n');
}

export const BRIEF = {
  type: 'trekbrief',
  brief_version: '2.0',
  created: '2026-01-22',
  task: 'Add a login page',
  slug: 'login',
  project_dir: `${PROJECT}/`,
  research_topics: 2,
  research_status: 'complete',
};
export const BRIEF_SECTIONS = ['Intent', 'Goal', 'Success Criteria'];

export function givenBrief(fields: Record<string, unknown> = {}, body = sections(BRIEF_SECTIONS)): string {
  return frontmatter({ ...BRIEF, ...fields }) + body;
}

export function givenResearch(
  fields: Record<string, unknown> = {},
  body = sections(['Executive Summary', 'Dimensions']),
): string {
  const all = {
    type: 'trekresearch-brief',
    created: '2026-01-22',
    question: 'Which library?',
    confidence: 0.8,
    ...fields,
  };
  return frontmatter(all) + body;
}

export const MANIFEST = {
  expected_paths: '[src/login.ts]',
  min_file_count: '1',
  commit_message_pattern: "'^feat: login'",
  bash_syntax_check: '[]',
  forbidden_paths: '[]',
  must_contain: '[{path: src/login.ts, pattern: login}]',
};

export function givenManifest(
  keys: Partial<Record<keyof typeof MANIFEST, string | undefined>> = {},
  indent = '  ',
): string {
  const lines = Object.entries({ ...MANIFEST, ...keys }).flatMap(([key, value]) =>
    value === undefined ? [] : [`  ${key}: ${value}`],
  );
  return ['```yaml', 'manifest:', ...lines, '```'].map((line) => `${indent}${line}\n`).join('');
}

export function givenStep(number: number, title = `Step of ${number}`, manifest = givenManifest()): string {
  return `### Step ${number}: ${title}\n\nDo it.\n\n${manifest}\n`;
}

export function givenPlan(
  steps: readonly string[] = [givenStep(1), givenStep(2)],
  fields: Record<string, unknown> = {},
): string {
  return `${frontmatter({ plan_version: '1.7', ...fields })}# Plan\n\n## Implementation Plan\n\n${steps.join('')}`;
}

/** A plan whose steps have these patterns. */
export function givenPlanOf(patterns: readonly string[]): string {
  return givenPlan(
    patterns.map((pattern, index) =>
      givenStep(index + 1, 'x', givenManifest({ commit_message_pattern: `'${pattern}'` })),
    ),
  );
}

export const PROGRESS = {
  schema_version: '1',
  plan: `${PROJECT}/plan.md`,
  plan_version: '1.7',
  started_at: '2026-01-22T10:00:00Z',
  updated_at: '2026-01-22T11:00:00Z',
  mode: 'execute',
  total_steps: 2,
  current_step: 1,
  status: 'in_progress',
  steps: {
    1: {
      status: 'completed',
      attempts: 1,
      error: null,
      completed_at: '2026-01-22T10:30:00Z',
      commit: 'abcdef1',
      manifest_audit: 'pass',
    },
    2: { status: 'pending', attempts: 0, error: null, completed_at: null, commit: null, manifest_audit: 'n/a' },
  },
};

export function givenProgress(values: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...PROGRESS, ...values }, null, 2);
}

export const REVIEW = {
  type: 'trekreview',
  review_version: '1.0',
  task: 'Add a login page',
  slug: 'login',
  project_dir: `${PROJECT}/`,
  brief_path: `${PROJECT}/brief.md`,
  scope_sha_end: 'abcdef1234567',
  reviewed_files_count: 3,
  findings: [IDS[0], IDS[1], IDS[2], IDS[3]],
};
export const REVIEW_SECTIONS = ['Executive Summary', 'Coverage', 'Remediation Summary'];
export const REVIEW_BODY = `${sections(REVIEW_SECTIONS)}
## Findings (MINOR)

### ${IDS[2]}

A small thing.

## Findings (MAJOR)

### ${IDS[1]}

A large thing.

## Findings (BLOCKER)

### ${IDS[0]}

It does not start.

## Findings (SUGGESTION)

### ${IDS[3]}

A wish.
`;

export function givenReview(fields: Record<string, unknown> = {}, body = REVIEW_BODY): string {
  return frontmatter({ ...REVIEW, ...fields }) + body;
}

export const STATE = {
  schema_version: 1,
  project: PROJECT,
  next_session_brief_path: `${PROJECT}/brief.md`,
  next_session_label: 'Session 2b',
  status: 'in_progress',
  updated_at: '2026-01-22T11:00:00Z',
};

export function givenState(values: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...STATE, ...values }, null, 2);
}

export function givenPrompt(fields: Record<string, unknown> = {}): string {
  return `${frontmatter({ produced_by: 'trekexecute-phase-8', produced_at: '2026-01-22T11:00:00Z', ...fields })}Go on.\n`;
}

export function without<T extends object>(object: T, key: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

export function file(text: string): FileText {
  return { ok: true, text };
}
export const MISSING: FileText = { ok: false, isMissing: true, reason: 'the file is not there' };
export const LINK: FileText = { ok: false, isMissing: false, reason: 'it is a symbolic link' };

/** A tree of these files. Their directories are added. */
export function tree(files: Record<string, string | Partial<Entry>>): TreeSnapshot {
  const entries = new Map<string, Entry>();
  for (const [path, given] of Object.entries(files)) {
    const names = path.split('/');
    for (let count = 1; count < names.length; count += 1) {
      const directory = names.slice(0, count).join('/');
      if (!entries.has(directory)) entries.set(directory, { path: directory, kind: 'dir', size: 0, mtime: 0 });
    }
    const facts = typeof given === 'string' ? { text: given, size: given.length } : given;
    entries.set(path, { path, kind: 'file', size: 0, mtime: 0, ...facts });
  }
  return { now: 0, entries };
}

export function errorsOf({ errors }: Pick<Report, 'errors'>): string[] {
  return errors.map(({ code }) => code);
}
export function warningsOf({ warnings }: Pick<Report, 'warnings'>): string[] {
  return warnings.map(({ code }) => code);
}
/** The codes and what they are about. */
export function about({ errors, warnings }: Pick<Report, 'errors' | 'warnings'>): [string, unknown][] {
  return [...errors, ...warnings].map(({ code, field, step, section, line }) => [
    code,
    field ?? section ?? step ?? line,
  ]);
}
