import { text } from 'node:stream/consumers';
import { scripted } from '../../../../../daemon/sessions/profiles/scripted.ts';
import { TIMINGS } from '../../../../../daemon/sessions/tmux/profile/profile.ts';
import { createAgentServer } from '../../../../../daemon/sessions/tmux/server/agentServer.ts';
import { TmuxSessionAdapter } from '../../../../../daemon/sessions/tmux/tmuxAdapter.ts';
import { SCRIPTED_AGENT } from '../../../../helpers/scriptedAgent.ts';

/** The program of `sendInChild`: what a daemon does for one prompt. */
const { server, input, env, envelope, point } = JSON.parse(await text(process.stdin));
const agents = createAgentServer(server);
const adapter = new TmuxSessionAdapter({
  profile: {
    ...scripted,
    timings: { ...TIMINGS, goneMs: scripted.timings.goneMs, unreadMs: scripted.timings.unreadMs },
  },
  server: agents,
  binaryPath: SCRIPTED_AGENT,
  args: [],
  parentEnv: server.env,
  env,
  maxHungMs: 60 * 60_000,
  errorRetryMs: 60 * 60_000,
  at: (reached) => {
    if (reached === point) process.kill(process.pid, 'SIGKILL');
  },
});
let failed = false;
try {
  await adapter.start(input);
  await adapter.sendPrompt(input, envelope);
} catch {
  failed = true;
}
await adapter.release(input);
await agents.close();
process.exitCode = failed ? 1 : 0;
