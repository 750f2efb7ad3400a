import type { ChildProcess } from 'node:child_process';
import { lasts } from './world.ts';

/** What the system's service manager does for devflow's unit: `Restart=on-failure`, `RestartSec=2`. */
export interface Service {
  start(): void;
  /** The machine is off: nobody starts it again. */
  stop(): void;
}

const RESTART_MS = 2_000;

export function createService(run: () => ChildProcess): Service {
  let isOn = false;
  const keep = () => {
    run().once('exit', async (code) => {
      if (!isOn || code === 0) return;
      await lasts(RESTART_MS);
      if (isOn) keep();
    });
  };
  return {
    start() {
      isOn = true;
      keep();
    },
    stop() {
      isOn = false;
    },
  };
}
