import { describe, expect, test } from 'vitest';
import { handoverFiles } from '../../../../daemon/core/exchange/handover.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { RunState } from '../../../../schemas/enums.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { bound, done, given, sent, started, valid } from '../support/given.ts';

/** Its brief is published. */
const { run, latest } = given({ template: 'planned' }, bound, started, sent, valid, done('publishArtifact'));

/** The files of a run that has none yet. */
function filesOf(over: Partial<Run>) {
  const { files } = handoverFiles({ files: {} }, { ...run, ...over }, latest.at(-1) as RunEvent);
  const textOf = (end: string) => Object.entries(files).find(([path]) => path.endsWith(end))?.[1] ?? '';
  const state = JSON.parse(textOf('session-state.local.json')) as Record<string, unknown>;
  return { state, prompt: textOf('NEXT-SESSION-PROMPT.local.md') };
}

describe('HC-8.5 the session state', () => {
  test.each<[RunState, string]>([
    ['executing', 'in_progress'],
    ['awaiting_approval', 'in_progress'],
    ['paused', 'partial'],
    ['aborted', 'stopped'],
    ['failed', 'failed'],
    ['completed', 'completed'],
  ])('of a run that is %s is %s', (state, status) => {
    expect(filesOf({ state }).state).toMatchObject({ status });
  });

  test('says that everything is done once no phase is left', () => {
    const phases = run.phases.map((phase) => ({ ...phase, state: 'completed' as const }));
    expect(filesOf({ phases }).state).toMatchObject({ next_session_label: 'Everything is done' });
  });
});

describe('HC-8.5 the prompt of the next session', () => {
  test('names the phase that is next, and the command that shows the run', () => {
    const { prompt } = filesOf({});
    expect(prompt).toContain('Next: Title of brief.');
    expect(prompt).toContain(`devflow run show ${run.id}.`);
  });

  test.each(['completed', 'failed', 'aborted'] as const)('says that a run that is %s cannot be continued', (state) => {
    const { prompt } = filesOf({ state });
    expect(prompt).toContain('\n\nThe run has ended: there is nothing to continue.\n\n');
    expect(prompt).not.toContain('Next: ');
  });
});
