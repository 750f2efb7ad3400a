import { expect, test } from 'vitest';
import { daemonEnvironment } from '../../../cli/daemon/daemonProgram.ts';
import { withAllocatorSettings } from '../../../schemas/allocatorSettings.ts';

test('does not mark a daemon as an agent that an agent starts, and keeps its other variables', () => {
  const env = { PATH: '/bin', DEVFLOW_HOME: '/home', DEVFLOW_AGENT: 'a', DEVFLOW_SESSION_DIR: '/sessions/a' };
  expect(daemonEnvironment(env)).toEqual(withAllocatorSettings({ PATH: '/bin', DEVFLOW_HOME: '/home' }));
});
