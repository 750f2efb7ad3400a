import type { OwnGateRule } from '../../definitions/phase/kindDefinition.ts';

export const REVIEW_GATES = {
  review_unconverged: {
    approve: 'The change passes with what is open; the report lists it.',
    request_changes: 'The implementer gets one more round, with your comment.',
    reject: 'The run ends as failed.',
  },
  review_dispute: {
    approve: 'Each finding named here is dismissed, and the review goes on.',
    request_changes: 'Each finding named here counts, and the implementer fixes it, as your comment says.',
    reject: 'The run ends as failed.',
  },
} as const satisfies Readonly<Record<string, OwnGateRule>>;
