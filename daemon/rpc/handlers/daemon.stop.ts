import type { Handler } from '../ports.ts';

export const daemonStop: Handler<'daemon.stop'> = (_params, { daemon, call }) => {
  call.afterReply(() => daemon.stop());
  return { stopping: true, pid: daemon.pid };
};
