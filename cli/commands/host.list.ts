import { age } from '../../schemas/duration.ts';
import type { HostView } from '../../schemas/rpc/views/host.ts';
import { hostState } from '../../schemas/states/host.ts';
import { skewText } from '../../schemas/time/clockSkew.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Host } from '../define/daemon.ts';
import { printClockNotes, printServerNote } from '../print/hostNotes.ts';
import { type Column, printList } from '../print/output.ts';
import { localTime } from '../print/text.ts';

const COLUMNS: Column<HostView>[] = [
  { title: 'HOST', cell: ({ id, here }) => (here ? `${id} (this one)` : id) },
  { title: 'STATE', cell: (host) => hostState(host) },
  { title: 'RUNS', cell: ({ runs }) => runs, align: 'right' },
  { title: 'CLOCK', cell: ({ clockSkewMs }) => skewText(clockSkewMs) ?? 'right', spare: 1 },
  { title: 'VERSION', cell: ({ version }) => version, spare: 2 },
  { title: 'MACHINE', cell: ({ machine }) => machine, spare: 3 },
  {
    title: 'LAST SEEN',
    cell: ({ lastSeenAt }) => localTime(lastSeenAt),
    brief: ({ lastSeenAt }) => age(lastSeenAt),
  },
];

export const action: Host['list'] = async (_params, { json }, io) => {
  return withDaemon(io, async (client) => {
    const rows = await client.call('host.list');
    printList(io, { json, rows, columns: COLUMNS, whenEmpty: 'No host has had a daemon on this database.' });
    if (json) return 0;
    if (rows.some(({ state }) => state === 'waiting')) printServerNote(io, await client.call('daemon.status'));
    const running = rows.filter(({ state }) => state === 'ready' || state === 'waiting');
    printClockNotes(
      io,
      running.map(({ id: host, clockSkewMs: skewMs = null }) => ({ host, skewMs })),
    );
    return 0;
  });
};
