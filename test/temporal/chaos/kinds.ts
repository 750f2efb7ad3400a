import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { scenario } from '../../e2e/support.ts';
import type { Answer } from '../../helpers/drive.ts';

/** A kind of run, and how a person would answer it. */
export interface Kind {
  template: string;
  /** Each role, and whether its agent runs in a pane. */
  backend: Record<string, 'fake' | 'claude' | 'codex'>;
  words: string;
  extra?: Record<string, unknown>;
  ends: 'completed' | 'failed' | 'aborted';
  /** Its own answer to a gate; absent: approves. */
  decide?(gate: ApprovalSummary): Answer | 'abort' | undefined;
}

const FAKE = { planner: 'fake', implementer: 'fake' } as const;
const PANES = { planner: 'claude', implementer: 'codex' } as const;
const extra = { verify: [['true']] };
const development = {
  template: 'development@1',
  backend: FAKE,
  words: 'Make it better.',
  extra,
  ends: 'completed',
} as const;
const slow = 'Make it better.\n\nDelay-Ms: spec=800\nDelay-Ms: plan=800\nDelay-Ms: implement=1500\n';
const mended = scenario('spec=invalid-then-ok', 'plan=crash-then-ok', 'implement=exit-then-ok');

export const KINDS = {
  development,
  slow: { ...development, words: slow },
  mended: { ...development, words: mended },
  panes: { ...development, backend: PANES },
  slowPanes: { ...development, backend: PANES, words: slow },
  mendedPanes: { ...development, backend: PANES, words: mended },
  quick: { ...development, template: 'quick-change@1', backend: { implementer: 'fake' }, extra: undefined },
  quickPanes: { ...development, template: 'quick-change@1', backend: { implementer: 'codex' }, extra: undefined },
  reviewed: {
    template: 'quick-change@2',
    backend: { implementer: 'fake', reviewer: 'fake', verifier: 'fake' },
    words: 'Make it better.\nFinds: high fake/implement-1.md:1 The title is wrong',
    extra,
    ends: 'completed',
  },
  changed: {
    ...development,
    decide: ({ gateKey, attempt }) =>
      gateKey === 'spec_approved' && attempt === 1 ? { action: 'request_changes', comment: 'Say more.' } : undefined,
  },
  rejected: {
    ...development,
    template: 'quick-change@1',
    backend: { implementer: 'fake' },
    extra: undefined,
    ends: 'failed',
    decide: ({ kind }) => (kind === 'gate' ? { action: 'reject', comment: 'Not this way.' } : undefined),
  },
  aborted: {
    ...development,
    backend: PANES,
    ends: 'aborted',
    decide: ({ gateKey }) => (gateKey === 'plan_approved' ? 'abort' : undefined),
  },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
