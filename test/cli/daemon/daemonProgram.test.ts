import { expect, test } from 'vitest';
import { daemonEnvironment } from '../../../cli/daemon/daemonProgram.ts';

test('a daemon that an agent starts is not marked as an agent, and keeps all else', () => {
  const env = { PATH: '/bin', DEVFLOW_HOME: '/home', DEVFLOW_AGENT: 'a', DEVFLOW_SESSION_DIR: '/sessions/a' };
  expect(daemonEnvironment(env)).toEqual({ PATH: '/bin', DEVFLOW_HOME: '/home' });
});
