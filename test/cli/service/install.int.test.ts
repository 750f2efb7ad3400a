import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { actions } from '../../../cli/commands/service.ts';
import { serviceOf } from '../../../cli/service/service.ts';
import { fakeIo } from '../fakeIo.ts';

/** Installs the service where systemd answers this about the unit. */
async function install(answer: string) {
  const HOME = mkdtempSync(join(tmpdir(), 'devflow-service-'));
  onTestFinished(() => rmSync(HOME, { recursive: true, force: true }));
  const bin = join(HOME, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\n[ "$2" != show ] || echo '${answer}'\n`);
  chmodSync(join(bin, 'systemctl'), 0o755);
  const env = { HOME, PATH: `${bin}:/usr/bin:/bin`, XDG_CONFIG_HOME: join(HOME, 'elsewhere') };
  const io = fakeIo({ env });
  const code = await actions.install({}, { yes: true }, io, 'install');
  return { code, ...io.written, isWritten: existsSync(serviceOf(env).file) };
}

test.runIf(process.platform === 'linux')('says so if systemd does not search the directory of the unit', async () => {
  const { code, out, err, isWritten } = await install('not-found');
  expect({ code, isWritten }).toEqual({ code: 1, isWritten: true });
  expect(err).toMatch(/systemd does not search .*elsewhere\/systemd\/user/);
  expect(out).not.toContain('starts at your next log-in');
});

test.runIf(process.platform === 'linux')('starts at log-in where systemd finds the unit', async () => {
  expect(await install('loaded')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('next log-in') });
});
