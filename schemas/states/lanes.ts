import type { LaneState, TaskState } from '../enums.ts';
import type { QueuePlace } from '../rpc/views/lanes.ts';
import type { AssignmentState } from '../rpc/views/run.ts';
import type { State } from './state.ts';

export const TASK_STATES: Readonly<Record<TaskState, State>> = {
  waiting: { sign: '·', word: 'waiting', look: 'quiet', means: 'it waits for other tasks, or for a lane', asks: null },
  started: { sign: '●', word: 'at work', look: 'busy', means: 'an agent works on it in its lane', asks: null },
  completed: { sign: '◌', word: 'done', look: 'busy', means: 'it is committed in its lane', asks: null },
  landed: { sign: '✓', word: 'landed', look: 'good', means: "it is on the run's branch", asks: null },
  abandoned: { sign: '✗', word: 'abandoned', look: 'bad', means: 'its lane ended without landing', asks: null },
};

export const LANE_STATES: Readonly<Record<LaneState, State>> = {
  open: { sign: '●', word: 'open', look: 'busy', means: 'its agent works, or its checks run', asks: null },
  queued: { sign: '◌', word: 'queued', look: 'busy', means: 'it is in the merge queue', asks: null },
  landed: { sign: '✓', word: 'landed', look: 'good', means: "its work is on the run's branch", asks: null },
  abandoned: {
    sign: '✗',
    word: 'abandoned',
    look: 'bad',
    means: 'it ended without landing; its branch stays',
    asks: null,
  },
  closed: { sign: '–', word: 'closed', look: 'quiet', means: 'nobody needs it any more', asks: null },
};

export const QUEUE_PLACES: Readonly<Record<QueuePlace, State>> = {
  waiting: { sign: '·', word: 'waiting', look: 'quiet', means: 'it waits for its turn to be tested', asks: null },
  testing: { sign: '●', word: 'testing', look: 'busy', means: 'devflow tests it as it would land', asks: null },
  sent_back: { sign: '→', word: 'sent back', look: 'ask', means: 'its agent must repair it', asks: null },
  landed: { sign: '✓', word: 'landed', look: 'good', means: "its work is on the run's branch", asks: null },
};

export const ASSIGNMENT_STATES: Readonly<Record<AssignmentState, State>> = {
  to_prompt: { sign: '·', word: 'not asked', look: 'quiet', means: 'its agent gets the prompt next', asks: null },
  prompted: { sign: '●', word: 'at work', look: 'busy', means: 'its agent works on the file', asks: null },
  validated: { sign: '✓', word: 'valid', look: 'good', means: 'the file is there and valid', asks: null },
  invalid: {
    sign: '✗',
    word: 'invalid',
    look: 'ask',
    means: 'the file is not valid; the agent repairs it',
    asks: null,
  },
  failed: {
    sign: '✗',
    word: 'failed',
    look: 'bad',
    means: 'devflow cannot continue it alone; other work goes on',
    asks: 'Decide its recovery gate: `devflow approval list`.',
  },
};
