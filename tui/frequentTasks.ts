/** The place of a text in a list of keys. */
export const TEXT = 'text';

export interface FrequentTask {
  readonly task: string;
  /** From the list of runs, on the row of the run. A test plays them. */
  readonly keys: readonly string[];
  /** The keys until decisions could be taken on rows. */
  readonly before: readonly string[];
}

/** The tasks that people do most, and their keys: at most three, besides texts. */
export const FREQUENT_TASKS: readonly FrequentTask[] = [
  {
    task: 'start a run',
    keys: ['n', TEXT, 'enter', 'C-s'],
    before: ['n', 'j', 'j', 'j', 'enter', TEXT, 'enter', 'C-s'],
  },
  { task: 'see who needs me', keys: ['2'], before: ['2'] },
  { task: 'go to the agent', keys: ['A'], before: ['enter', 'A'] },
  { task: 'approve at a gate', keys: ['a', 'y'], before: ['enter', 'd', 'a'] },
  { task: 'approve everything that waits', keys: ['*', 'a', 'y'], before: ['2', '*', 'a', 'y'] },
  { task: 'request changes', keys: ['c', TEXT, 'enter'], before: ['enter', 'd', 'c', TEXT, 'enter'] },
  { task: 'look at the diff', keys: ['D'], before: ['D'] },
  { task: 'apply', keys: ['M', 'enter', 'y'], before: ['M', 'enter', 'y'] },
  { task: 'abort', keys: ['X', TEXT, 'enter', 'y'], before: ['X', TEXT, 'enter', 'y'] },
  { task: 'find a run by its topic', keys: ['/', TEXT, 'enter'], before: ['/', TEXT, 'enter'] },
];
