import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { HostView } from '../../schemas/rpc/views/host.ts';
import { hostState } from '../../schemas/states/host.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { age, skewText } from '../../schemas/time/duration.ts';
import { withDaemon } from '../daemon/withDaemon.ts';
import type { Host } from '../define/daemon.ts';
import { confirm, DECLINED } from '../input/confirm.ts';
import type { Io } from '../io/io.ts';
import { printClockNotes, printServerNote } from '../print/hostNotes.ts';
import { type Column, printJson, printList } from '../print/output.ts';
import { localTime, shortId, visible } from '../print/text.ts';

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

export const actions: Host = {
  async list(_params, { json }, io) {
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
  },
  async forget({ host }, { json, yes }, io) {
    return withDaemon(io, async (client) => {
      if (!yes) {
        sayWhat(io, await client.call('host.forget', { host, dryRun: true }));
        const unasked = {
          message: `nobody was asked whether to forget host ${host}`,
          hint: 'Without a terminal, add --yes.',
        };
        if (!(await confirm(io, `Forget host ${host}?`, unasked))) return DECLINED;
      }
      const forgotten = await client.call('host.forget', { host });
      if (json) printJson(io, forgotten);
      else {
        const { runs, notAborted } = forgotten;
        const failed = new Set(notAborted.map(({ runId }) => runId));
        const aborted = runs.filter(({ runId }) => !failed.has(runId)).map(({ runId }) => shortId(runId));
        const what = aborted.length > 0 ? ` Aborted: ${aborted.join(', ')}.` : '';
        io.out(`Host ${visible(host)} is forgotten.${runs.length === 0 ? ' It had no open runs.' : what}\n`);
        for (const { runId, reason } of notAborted)
          io.err(`Run ${shortId(runId)} could not be aborted: ${visible(reason)}\n`);
      }
      return 0;
    });
  },
};

/** Says before anything happens what becomes of its runs. */
function sayWhat(io: Io, { host, trouble, runs }: RpcResult<'host.forget'>): void {
  io.err(
    `Host ${visible(host)}: ${visible(trouble)}. ${counted(runs.length, 'open run')}${runs.length > 0 ? ':' : '.'}\n`,
  );
  for (const { runId, template, repoPath } of runs)
    io.err(`  ${shortId(runId)}  ${visible(template)}  ${visible(repoPath)}\n`);
  if (runs.length > 0) io.err('They are aborted. ');
  io.err(`${LEFT_THERE}\n`);
}

const LEFT_THERE =
  'What its runs left on that machine stays there: worktrees, branches, artifacts, reports. Their logs stay in the database. If the machine comes back, devflow up there makes it a host again.';
