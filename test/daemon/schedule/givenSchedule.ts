import type { Schedule, Schedules } from '../../../daemon/store/schedules.ts';

/** At 06:00 UTC each day, from the first day of the hand clock on. */
export function givenSchedule(over: Partial<Schedule> = {}): Schedule {
  return {
    id: '5c4ed01e-0000-4000-8000-000000000001',
    host: null,
    title: null,
    expression: '0 6 * * *',
    zone: 'UTC',
    repoPath: '/repo',
    request: { requirements: 'Update the dependencies.', bind: {}, backend: {}, settings: true, parallel: false },
    missed: 'once',
    paused: false,
    createdAt: new Date('2026-01-01T00:00:00Z'),
    nextAt: new Date('2026-01-01T06:00:00Z'),
    lastAt: null,
    lastRunId: null,
    lastNote: null,
    updatedAt: new Date('2026-01-01T00:00:00Z'),
    ...over,
  };
}

/** The rows without a database. */
export function scheduleRows(...rows: Schedule[]) {
  const all = new Map(rows.map((each) => [each.id, each]));
  let reads = 0;
  const change: Schedules['change'] = async (id, changed) => {
    const row = all.get(id);
    if (row) all.set(id, { ...row, ...changed });
    return all.get(id);
  };
  return {
    change,
    async list() {
      reads += 1;
      return [...all.values()];
    },
    put: (row: Schedule) => all.set(row.id, row),
    row: (id = rows[0]?.id ?? '') => all.get(id) as Schedule,
    reads: () => reads,
  };
}
