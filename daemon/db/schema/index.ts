/** Every table, for drizzle and for drizzle-kit. One aggregate a file. */
export * from './approvals.ts';
export * from './artifacts.ts';
export * from './backtest.ts';
export * from './catalog.ts';
export * from './commands.ts';
export * from './events.ts';
export * from './findings.ts';
export * from './lanes.ts';
export * from './lease.ts';
export * from './phases.ts';
export * from './runs.ts';
export * from './schedules.ts';
export * from './sessions.ts';
export * from './webhookNotices.ts';
