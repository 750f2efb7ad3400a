import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { secretsBelow } from '../../../daemon/sandbox/systemPlaces.ts';

test('finds what others may not read, also some directories down', () => {
  const root = mkdtempSync(join(tmpdir(), 'secrets-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const make = (path: string, mode: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
    chmodSync(join(root, path), mode);
  };
  make('hosts', 0o644);
  make('shadow', 0o640);
  make('kubernetes/pki/etcd/server/ca.key', 0o600);
  make('kubernetes/pki/etcd/server/ca.crt', 0o644);
  make('live/key.pem', 0o644);
  chmodSync(join(root, 'live'), 0o700);
  expect(secretsBelow(root, 6).sort((a, b) => a.path.localeCompare(b.path))).toEqual([
    { path: join(root, 'kubernetes/pki/etcd/server/ca.key'), how: 'nothing' },
    { path: join(root, 'live'), how: 'empty' },
    { path: join(root, 'shadow'), how: 'nothing' },
  ]);
});
