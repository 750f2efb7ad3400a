import type { Handler } from '../ports.ts';

export const daemonDoctor: Handler<'daemon.doctor'> = ({ strict, listOrphans }, { doctor }) =>
  listOrphans ? doctor.listOrphans() : doctor.check({ strict });
