import type { Command } from 'commander';
import { type Cli, group } from './leaf.ts';

const HELP = `
The service is a unit of your own systemd on Linux (~/.config/systemd/user), and
a launch agent on macOS (~/Library/LaunchAgents). It has the PATH of the shell
that installs it. systemd ends it when you log out everywhere, unless linger is
on for you: loginctl enable-linger.`;

const load = () => import('../commands/service.ts');

/** What starts devflow at log-in. */
export function defineService(program: Command, cli: Cli): void {
  group(program, cli, 'service', 'start devflow at log-in', ({ leaf, dataLeaf }) => {
    leaf('install', 'show the service, ask, and install it', load)
      .option('--dry-run', 'only show what it would write')
      .option('--yes', 'write it without a question')
      .addHelpText('after', HELP);
    leaf('remove', 'remove the service; a daemon that runs goes on', load).option(
      '--yes',
      'remove it without a question',
    );
    dataLeaf('status', 'show whether it is installed, and whether it runs', load);
    leaf('run', 'keep the daemon in the foreground, as the service does', () => import('../commands/service.run.ts'));
  });
}
