import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ConventionView } from '../../../schemas/rpc/views/contracts.ts';
import { ago } from './showcaseRuns.ts';

const at = (path: string) => ({ path, line: null });

export const CONVENTIONS: readonly ConventionView[] = [
  {
    contract: 'devt/state-directory@1',
    path: '.devt/state',
    changedAt: ago(240),
    errors: 1,
    warnings: 2,
    findings: [
      {
        ...at('.devt/state/notes-old.txt'),
        severity: 'error',
        code: 'STATE_AD_HOC',
        message: 'The name notes-old.txt matches nothing in the contract.',
      },
      {
        ...at('.devt/state/review-login.md'),
        severity: 'warning',
        code: 'STATE_STALE',
        message: 'review-login.md is of 2026-01-20, more than 21 days old.',
      },
      {
        ...at('.devt/state/.lock'),
        severity: 'warning',
        code: 'LOCK_STALE',
        message: '.lock is held by a process that does not live (4242).',
      },
    ],
  },
  {
    contract: 'handover',
    path: '.claude/projects/2026-03-01-greet-by-name',
    changedAt: ago(7_200),
    errors: 0,
    warnings: 0,
    findings: [],
  },
  {
    contract: 'autodev/state@1',
    path: '_docs/_autodev_state.md',
    changedAt: ago(90_000),
    errors: 0,
    warnings: 1,
    findings: [
      {
        path: '_docs/_autodev_state.md',
        line: 7,
        severity: 'warning',
        code: 'AUTODEV_SUBSTEP_STALE',
        message: 'The step has not begun, but it has a sub-step.',
      },
    ],
  },
];

const entry = (name: string, seconds: number, more = {}) => ({
  name,
  size: 1_200,
  mtime: ago(seconds),
  isDir: false,
  ...more,
});

export const AUDIT: RpcResult<'state.audit'> = {
  contract: 'devt/state-directory@1',
  subject: '.devt/state',
  valid: false,
  errors: [],
  warnings: [],
  parsed: {
    newerNames: [],
    stateDir: '.devt/state',
    counts: { canonical: 2, pattern_allowed: 1, ephemeral: 1, ad_hoc: 1, total: 5 },
    totalBytes: 6_000,
    buckets: {
      canonical: [entry('plan.md', 240), entry('workflow.yaml', 240)],
      pattern_allowed: [entry('review-login.md', 3_456_000, { stale: true })],
      ephemeral: [entry('plan.md~', 500)],
      ad_hoc: [entry('notes-old.txt', 90_000)],
    },
  },
};
