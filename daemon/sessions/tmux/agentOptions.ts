import type { DeliveryPoint } from './deliver/delivery.ts';
import type { Profile } from './profile.ts';
import type { AgentServer } from './server/agentServer.ts';

/** What all agents of one backend have in common. */
export interface AgentOptions {
  profile: Profile;
  server: AgentServer;
  binaryPath: string;
  args: readonly string[];
  /** Busy for so long without any progress is hung. */
  maxHungMs: number;
  /** From the end of a turn in an error to the next try. */
  errorRetryMs: number;
  /** The daemon's own environment, of which an agent gets what its profile names. */
  parentEnv: Readonly<Record<string, string | undefined>>;
  /** Of the configuration. */
  env: Readonly<Record<string, string>>;
  /** Told of each step of a delivery, so that tests can end the process there. */
  at?(point: DeliveryPoint): void;
}
