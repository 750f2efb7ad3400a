import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLedger } from '../../../daemon/sessions/tmux/deliver/ledger.ts';
import { smallDisk } from '../../helpers/smallDisk.ts';

it('refuses a line whole if the disk is full, and writes the next', (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a tmpfs, so no disk can be filled here');
  const path = join(disk.path, 'delivery.jsonl');
  const ledger = openLedger(disk.path);
  ledger.note({ uuid: 'first', dedupKey: 'first', state: 'queued' });
  disk.fill();
  // Longer than what is left of the block in which the first one stands.
  const reason = 'x'.repeat(5000);
  const refused = expect.objectContaining({ code: 'disk_full', message: `There is no space left for ${path}.` });
  expect(() => ledger.note({ uuid: 'second', dedupKey: 'second', state: 'queued', reason })).toThrow(refused);
  expect(ledger.of('second')).toBeUndefined();
  disk.free();
  ledger.note({ uuid: 'third', dedupKey: 'third', state: 'queued' });
  const uuids = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).uuid);
  expect(uuids).toEqual(['first', 'third']);
  expect(
    openLedger(disk.path)
      .unsettled()
      .map(({ uuid }) => uuid),
  ).toEqual(uuids);
});
