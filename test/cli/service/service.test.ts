import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serviceEnvironment, settingsLeftOut } from '../../../cli/service/environment.ts';
import { serviceOf } from '../../../cli/service/service.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';

const ENV = { HOME: '/home/ada', PATH: '/home/ada/bin:.:/usr/bin', DEVFLOW_HOME: '', TERM: 'xterm' };
const LAUNCHER = join(packageRoot(), 'bin', 'devflow');

describe('the service', () => {
  it('is a unit of the user, which stops only the keeper', () => {
    const { file, link, text, startNow } = serviceOf(ENV, 'linux');
    expect(file).toBe('/home/ada/.config/systemd/user/devflow.service');
    expect(link).toEqual({
      path: '/home/ada/.config/systemd/user/default.target.wants/devflow.service',
      target: '../devflow.service',
    });
    expect(text).toContain(
      `\nExecStart="${LAUNCHER}" "service" "run"\nEnvironment="PATH=/home/ada/bin:/usr/bin"\nRestart=`,
    );
    expect(text).toContain('\nKillMode=process\n');
    expect(startNow).toBe('systemctl --user start devflow');
  });

  it('is a launch agent on macOS, and refused elsewhere', () => {
    const { file, link, text } = serviceOf({ ...ENV, LANG: 'a&b<c', XDG_RUNTIME_DIR: '/run/ada' }, 'darwin');
    expect([file, link]).toEqual(['/home/ada/Library/LaunchAgents/devflow.plist', undefined]);
    expect(text).toContain(`<string>${LAUNCHER}</string>\n    <string>service</string>\n    <string>run</string>`);
    expect(text).toContain('<key>LANG</key>\n    <string>a&amp;b&lt;c</string>');
    expect(text).toContain('<key>XDG_RUNTIME_DIR</key>\n    <string>/run/ada</string>');
    expect(() => serviceOf(ENV, 'freebsd')).toThrow(/no service manager of freebsd/);
  });

  it('follows XDG_CONFIG_HOME, and has one name for each home', () => {
    const of = (more: object) => serviceOf({ ...ENV, ...more }, 'linux').file;
    expect(of({ XDG_CONFIG_HOME: '/etc/ada' })).toBe('/etc/ada/systemd/user/devflow.service');
    expect(of({ XDG_CONFIG_HOME: 'relative' })).toBe('/home/ada/.config/systemd/user/devflow.service');
    const [one, two] = [of({ DEVFLOW_HOME: '/one' }), of({ DEVFLOW_HOME: '/two' })];
    expect(one).toMatch(/\/devflow-[0-9a-f]{8}\.service$/);
    expect(two).not.toBe(one);
  });

  it('quotes what systemd would expand', () => {
    const { text } = serviceOf({ ...ENV, DEVFLOW_HOME: '/a "b" %h $c\\d' }, 'linux');
    expect(text).toContain('Environment="DEVFLOW_HOME=/a \\"b\\" %%h $c\\\\d"\n');
  });

  it('gets places and the language of the shell, and no settings', () => {
    const env = { ...ENV, LANG: 'C.UTF-8', LC_ALL: 'two\nlines', DEVFLOW_DATABASE_URL: 'postgres://me:secret@db/x' };
    const more = { ...env, DEVFLOW_INTERNAL_CACHE: '/c', DEVFLOW_DB: 'external', DEVFLOW_HOME: '/dev' };
    expect(serviceEnvironment(more)).toEqual([
      ['PATH', '/home/ada/bin:/usr/bin'],
      ['DEVFLOW_HOME', '/dev'],
      ['LANG', 'C.UTF-8'],
    ]);
    expect(settingsLeftOut(more)).toEqual(['DEVFLOW_DATABASE_URL', 'DEVFLOW_DB']);
  });
});
