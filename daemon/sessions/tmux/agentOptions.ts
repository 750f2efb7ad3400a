import type { AgentSandboxInput } from '../../sandbox/agentSandbox.ts';
import type { DeliveryPoint } from './deliver/deliveryPorts.ts';
import type { Profile } from './profile/profile.ts';
import type { AgentServer } from './server/agentServer.ts';

/** Options that all agents of one backend share. */
export interface AgentOptions {
  profile: Profile;
  server: AgentServer;
  binaryPath: string;
  args: readonly string[];
  /** A busy agent without progress for this long is hung. */
  maxHungMs: number;
  /** From a turn that ended with an error to the next try. */
  errorRetryMs: number;
  /** The daemon's own environment. An agent gets the variables that its profile names. */
  parentEnv: Readonly<Record<string, string | undefined>>;
  /** From the configuration. */
  env: Readonly<Record<string, string>>;
  /** Prepares the sandbox of an agent; returns the words that start it. Throws sandbox_unavailable. */
  prepareSandbox?(input: AgentSandboxInput): Promise<string[]>;
  /** Called at each step of a delivery, so that tests can kill the process there. */
  at?(point: DeliveryPoint): void;
}
