import type { Consequences, OwnGateRule } from '../../definitions/phase/kindDefinition.ts';

const CONFLICT: Consequences = {
  approve: 'The agents try again to resolve the conflict.',
  request_changes: 'The agents try again to resolve the conflict, as your comment says.',
  reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
};

/** At a conflict that is resolved, but without some tests. */
const DROPPED_TESTS: Consequences = {
  ...CONFLICT,
  approve: 'The resolution is accepted, and these tests are dropped.',
  request_changes: 'The resolution is refused. The agents resolve the conflict again, as your comment says.',
};

const BASE_RED: Consequences = {
  approve: 'Merges may be as red as the branch is now, and not worse. A check that becomes green is required again.',
  request_changes: null,
  reject: 'The run ends as failed.',
};

/** In older runs nothing is compared. */
const BASE_RED_FOR_GOOD: Consequences = {
  ...BASE_RED,
  approve: 'The failed checks are not required any more; all others are.',
};

/** The gates of lanes, of their plan and of the merge queue. */
export const LANES_GATES = {
  parallel_dag_approved: {
    approve: 'The tasks of each pair run one after the other; all others run in parallel.',
    request_changes: 'The plan is written again, with your comment.',
    reject: 'The run ends as failed.',
  },
  writeset_conflict: {
    approve: 'The lane may change these files, and goes on.',
    request_changes: 'The agent of the lane changes its work, as your comment says.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  merge_conflict: ({ droppedTests }) =>
    Array.isArray(droppedTests) && droppedTests.length > 0 ? DROPPED_TESTS : CONFLICT,
  merge_failed: {
    approve: 'The agent of the lane tries again.',
    request_changes: 'The agent of the lane tries again, as your comment says.',
    reject: 'The lane ends without landing, and so do the tasks that depend on it. The other lanes go on.',
  },
  base_red: ({ landings }) => (landings === undefined ? BASE_RED_FOR_GOOD : BASE_RED),
} as const satisfies Readonly<Record<string, OwnGateRule>>;
