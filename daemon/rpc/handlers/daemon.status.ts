import type { Handler } from '../ports.ts';

export const daemonStatus: Handler<'daemon.status'> = (_params, { daemon }) => daemon.status();
