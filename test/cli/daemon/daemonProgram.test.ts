import { expect, test } from 'vitest';
import { daemonEnvironment } from '../../../cli/daemon/daemonProgram.ts';
import { withAllocatorSettings } from '../../../schemas/process/environment.ts';

test('does not mark a daemon that an agent or a command starts, and keeps its other variables', () => {
  const marks = { DEVFLOW_AGENT: 'a', DEVFLOW_SESSION_DIR: '/sessions/a', DEVFLOW_INTERNAL_COMMAND: '/commands/a' };
  const env = { PATH: '/bin', DEVFLOW_HOME: '/home', ...marks };
  expect(daemonEnvironment(env)).toEqual(withAllocatorSettings({ PATH: '/bin', DEVFLOW_HOME: '/home' }));
});
