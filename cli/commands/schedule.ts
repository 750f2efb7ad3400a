import type { RpcResult } from '../../schemas/rpc/methods/index.ts';
import type { ScheduleView } from '../../schemas/rpc/views/schedule.ts';
import { calls, withDaemon } from '../daemon/withDaemon.ts';
import type { Schedule } from '../define/schedule.ts';
import { backendsOf, LED } from '../input/ledStart.ts';
import { readRequirements } from '../input/requirements.ts';
import type { Io } from '../io/io.ts';
import { type Column, printHeading, printJson, printList } from '../print/output.ts';
import { printDryRun } from '../print/run/dryRun.ts';
import { asOverrides, printLastBackends, printWarnings } from '../print/run/startNotes.ts';
import { localTime, shortId, tildePath } from '../print/text.ts';

type Added = RpcResult<'schedule.add'>;

export const actions: Schedule = {
  add: async ({ template = LED, ...given }, { message, requirements: file, backend: named, skipMissed, json }, io) => {
    const params = { ...given, template, backend: backendsOf(named, template === LED) };
    const about = `${template} in ${params.repo}, at ${params.expression}`;
    const requirements = await readRequirements(io, { message, requirements: file }, about);
    return withDaemon(io, async (client) => {
      const { repo, base, bind, backend: chosen, settings } = params;
      const last = await client.call('run.lastBackends', { repo, template, base, bind, backend: chosen, settings });
      const backend = { ...chosen, ...asOverrides(last) };
      const missed = skipMissed ? 'skip' : 'once';
      const added = await client.call('schedule.add', { ...params, backend, requirements, missed });
      if (json) printJson(io, added);
      else {
        printLastBackends(io, last);
        printAdded(io, added);
      }
      return 0;
    });
  },
  list: async (params, { json }, io) =>
    withDaemon(io, async (client) => {
      const rows = await client.call('schedule.list', params);
      const whenEmpty = 'There are no schedules. Add one with devflow schedule add "0 6 * * 1-5" -m "...".';
      printList(io, { json, rows, columns: columnsOf(io, rows), whenEmpty });
      return 0;
    }),
  run: calls('schedule.runNow', (io, started) => {
    printWarnings(io, started);
    io.out(`Run ${started.runId} is started. Follow it with devflow run show ${shortId(started.runId)}.\n`);
  }),
  pause: (params, own, io) => setPaused({ ...params, paused: true }, own, io),
  resume: (params, own, io) => setPaused({ ...params, paused: false }, own, io),
  remove: calls('schedule.remove', (io, { scheduleId, lastRunId }) => {
    const stays = lastRunId === null ? '' : ` Its last run stays: devflow run show ${shortId(lastRunId)}.`;
    io.out(`Removed schedule ${shortId(scheduleId)}.${stays}\n`);
  }),
};

const setPaused = calls('schedule.pause', (io, { scheduleId, paused, nextAt }) =>
  io.out(`Schedule ${shortId(scheduleId)} ${paused ? 'is paused' : `goes on: next at ${localTime(nextAt)}`}.\n`),
);

function printAdded(io: Io, added: Added): void {
  if ('dryRun' in added) {
    const { run, times, zone } = added;
    printDryRun(io, run);
    printWarnings(io, run);
    printHeading(io, `At these times of yours, by the clock of ${zone}`);
    io.out(times.map((at) => `${localTime(at)}\n`).join(''));
    return;
  }
  printWarnings(io, added);
  const { scheduleId, nextAt, missed } = added;
  const late =
    missed === 'once' ? 'A time that devflow misses is made up for once.' : 'A time that devflow misses is skipped.';
  io.out(`Added schedule ${shortId(scheduleId)}. It starts at ${localTime(nextAt)} for the first time. ${late}\n`);
}

function columnsOf(io: Io, rows: readonly ScheduleView[]): Column<ScheduleView>[] {
  const hosts = new Set(rows.map(({ host }) => host));
  return [
    { title: 'SCHEDULE', cell: ({ scheduleId }) => shortId(scheduleId) },
    { title: 'AT', cell: ({ expression }) => expression },
    { title: 'ZONE', cell: ({ zone }) => zone, spare: 2 },
    { title: 'NEXT', cell: ({ nextAt, paused }) => (paused ? 'paused' : localTime(nextAt)) },
    { title: 'LAST', cell: ({ lastAt }) => localTime(lastAt), spare: 1 },
    { title: 'RUN', cell: ({ lastRunId }) => lastRunId && shortId(lastRunId) },
    ...(hosts.size > 1 ? [{ title: 'HOST', cell: ({ host }: ScheduleView) => host }] : []),
    { title: 'REPOSITORY', cell: ({ repoPath }) => tildePath(repoPath, io.env), path: true, spare: 3 },
    { title: 'TITLE', cell: ({ title }) => title, cuts: true },
    { title: 'NOTE', cell: ({ lastNote }) => lastNote, cuts: true },
  ];
}
