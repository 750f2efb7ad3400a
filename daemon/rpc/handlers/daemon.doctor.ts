import type { Handler } from '../ports.ts';

export const daemonDoctor: Handler<'daemon.doctor'> = ({ strict, listOrphans, agents }, { doctor }) => {
  if (agents) return doctor.tryAgents();
  return listOrphans ? doctor.listOrphans() : doctor.check({ strict });
};
