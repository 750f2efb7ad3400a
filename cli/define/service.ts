import { plainCommand } from './command.ts';
import { flag, JSON_FLAG } from './entry.ts';

const HELP = `
The service is a unit of your own systemd on Linux (~/.config/systemd/user), and
a launch agent on macOS (~/Library/LaunchAgents). It has the PATH of the shell
that installs it. systemd ends it when you log out everywhere, unless linger is
on for you: loginctl enable-linger.`;

/** What starts devflow at log-in. */
export const SERVICE = {
  install: plainCommand(
    'show the service, ask, and install it',
    { dryRun: flag('only show what it would write'), yes: flag('write it without a question') },
    { help: HELP },
  ),
  remove: plainCommand('remove the service; a daemon that runs goes on', { yes: flag('remove it without a question') }),
  status: plainCommand('show whether it is installed, and whether it runs', { json: JSON_FLAG }),
  run: plainCommand('keep the daemon in the foreground, as the service does'),
};
