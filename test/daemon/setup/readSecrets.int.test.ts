import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSecrets } from '../../../daemon/setup/readSecrets.ts';
import { givenSetup } from './given.ts';

const token = (nth: number) => `tok-9f8e7d6c5b4a-${nth}`;

test('reads copied files, and files with telling names in copied directories', async () => {
  const at = await givenSetup({
    '.env': `API_TOKEN=${token(1)}\n`,
    '.cache/deep/er/.env.local': `API_TOKEN=${token(2)}\n`,
    '.cache/secrets.yaml': `password: ${token(3)}\n`,
    '.cache/words.txt': `API_TOKEN=${token(4)}\n`,
    '.cache/.aws/config': `aws_secret_access_key = ${token(6)}\n`,
    '.cache/mytokens.txt': `${token(7)}\n`,
    'node_modules/a/.env': `API_TOKEN=${token(5)}\n`,
  });
  execFileSync('mkfifo', [join(at.checkout, '.cache', '.env.pipe')]);
  symlinkSync('/etc/passwd', join(at.checkout, '.cache', 'token'));
  await at.setUp({ copy: ['.env', '.cache'], clone: ['node_modules'] });
  expect((await readSecrets(at.privateGit)).sort()).toEqual([1, 2, 3, 6, 7].map(token));
});

test('reads what a linked directory has in the checkout', async () => {
  const at = await givenSetup({ '.cache/.env': `API_TOKEN=${token(1)}\n` });
  await at.setUp({ link: ['.cache'] });
  expect(await readSecrets(at.privateGit)).toEqual([token(1)]);
});

test('files that are named themselves are read before those of a virtual environment', async () => {
  const packages = Array.from({ length: 220 }, (_, nth) => [`.env/lib/${nth}.txt`, `API_TOKEN=${token(100 + nth)}\n`]);
  const at = await givenSetup({
    ...Object.fromEntries(packages),
    '.env/lib/site.py': `API_TOKEN = "${token(2)}"\n`,
    '.env/zz/.env.local': `API_TOKEN=${token(3)}\n`,
    '.env.local': `API_TOKEN=${token(1)}\n`,
  });
  await at.setUp({ copy: ['.env', '.env.local'] });
  const secrets = await readSecrets(at.privateGit);
  expect(secrets.slice(0, 2)).toEqual([token(1), token(3)]);
  expect(secrets).not.toContain(token(2));
});
