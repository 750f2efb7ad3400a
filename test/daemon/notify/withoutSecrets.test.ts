import { expect, test } from 'vitest';
import { withoutSecrets } from '../../../daemon/notify/notifyCommand.ts';

test("passes the person's environment without secrets and without devflow's settings", () => {
  const kept = {
    PATH: '/bin',
    HOME: '/home/ada',
    DISPLAY: ':0',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1/bus',
    SSH_AUTH_SOCK: '/run/agent',
    KEYBOARD: 'us',
    DEVFLOW_HOME: '/home/ada/devflow',
    MONKEY: 'yes',
  };
  const held = {
    GITHUB_TOKEN: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    PGPASSWORD: 'x',
    ANTHROPIC_API_KEY: 'x',
    MYAPIKEY: 'x',
    DATABASE_URL: 'postgres:///x',
    DEVFLOW_DATABASE_URL: 'x',
    DEVFLOW_LOG_LEVEL: 'debug',
    NPM_AUTH: 'x',
    SENTRY_DSN: 'x',
    HTTPS_PROXY: 'http://ada:secret@proxy:3128',
    db_password: 'x',
  };
  expect(withoutSecrets({ ...kept, ...held, EMPTY: undefined })).toEqual(kept);
});
