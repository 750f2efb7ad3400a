import { expect, it } from 'vitest';
import { localTime } from '../../../schemas/time/localTime.ts';
import { repositoryName, waitWords } from '../../../tui/text/runWords.ts';

it('shows the end of a wait in local time', () => {
  const until = '2026-11-21T08:12:35.000Z';
  expect(waitWords(`planner has reached its usage limit; it waits until ${until}`)).toBe(
    `planner has reached its usage limit; it waits until ${localTime(until)}`,
  );
});

it('names the key that resumes a run', () => {
  expect(waitWords('devflow run resume')).toBe('you: r resumes it');
});

it('puts the host before a repository where devflow works on several', () => {
  expect(repositoryName({ repoPath: '/home/ada/greeter' })).toBe('greeter');
  expect(repositoryName({ repoPath: '/home/ada/greeter', host: 'big' })).toBe('big:greeter');
});
