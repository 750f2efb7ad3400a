import { expect, test } from 'vitest';
import type { OutcomeOf } from '../../../../daemon/core/effect/outcome.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { givenTitle, runTitle } from '../../../../daemon/core/run/title.ts';
import { rowsOf } from '../../../../daemon/store/projection/projection.ts';
import { readHistory } from '../../../helpers/givenHistory.ts';
import { bound, given, sent, started } from '../support/given.ts';

/** The agent's file is valid, and has this title. */
const found =
  (title?: string) =>
  (run: Run): OutcomeOf<'artifactFound'> => {
    const phase = run.phases[0];
    const [assignment] = phase?.assignments ?? [];
    const { path = '', schema = '' } = assignment?.prompt ?? {};
    return {
      type: 'artifactFound',
      phaseId: phase?.id ?? '',
      roleId: assignment?.roleId ?? '',
      path,
      schema,
      hash: 'h',
      verdict: { valid: true, storedPath: '/stored', ...(title === undefined ? {} : { title }) },
    };
  };
const waiting = [bound, started, sent];
const shape = { requirementsMd: '# Greet by name\n\nMore.' };

test('is the first line of the requirements until an agent has a better one', () => {
  expect(runTitle(given(shape, ...waiting).run)).toBe('Greet by name');
  expect(runTitle(given(shape, ...waiting, found()).run)).toBe('Greet by name');
  const { run, events } = given(shape, ...waiting, found('Greetings with a name'));
  expect(runTitle(run)).toBe('Greetings with a name');
  expect(runTitle(replay(events) as Run)).toBe('Greetings with a name');
  expect(rowsOf(run).runs[0]).toMatchObject({ title: 'Greetings with a name' });
});

test("never changes a person's title", () => {
  const { run } = given({ ...shape, title: 'Mine' }, ...waiting, found('Greetings with a name'));
  expect(runTitle(run)).toBe('Mine');
  expect(rowsOf(run).runs[0]).toMatchObject({ title: 'Mine' });
});

test('is not stored for runs that nobody named, so that their rows are those of older versions', () => {
  const run = replay(readHistory('happy')) as Run;
  expect(givenTitle(run)).toBe(null);
  expect(rowsOf(run).runs[0]).toMatchObject({ title: null });
});
