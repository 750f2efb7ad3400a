import type { Launch } from '../../../daemon/sessions/tmux/profile/profile.ts';
import type { Program } from '../programs/pins.ts';

/**
 * devflow's command line, changed so that the program asks. With devflow's own flags none asks for permission, and only
 * Claude asks a question.
 */
export const ASKS: Readonly<Record<Program, (launch: Launch) => Launch>> = {
  claude: (launch) => words(launch, (word) => (word === 'dontAsk' ? 'default' : word)),
  codex: (launch) => words(launch, (word) => (word === 'never' ? 'on-request' : word)),
  // Without a policy it asks for permission. In an unknown folder it asks whether to trust it.
  gemini(launch) {
    const [program, ...rest] = launch.argv;
    const isOf = (nth: number) => rest[nth] === '--policy' || rest[nth - 1] === '--policy';
    return { ...launch, argv: [program, ...rest.filter((word, nth) => word !== '--skip-trust' && !isOf(nth))] };
  },
  opencode(launch) {
    const settings = JSON.parse(launch.env.OPENCODE_CONFIG_CONTENT ?? '{}');
    const permission = { '*': 'allow', external_directory: 'ask' };
    const changed = { ...settings, permission, agent: { build: { permission } } };
    return { ...launch, env: { ...launch.env, OPENCODE_CONFIG_CONTENT: JSON.stringify(changed) } };
  },
};

function words(launch: Launch, change: (word: string) => string): Launch {
  return { ...launch, argv: launch.argv.map(change) as Launch['argv'] };
}
