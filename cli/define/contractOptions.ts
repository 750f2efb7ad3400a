import { type Command, Option } from 'commander';

/** `--repo`: the repository that a command of contracts is about. */
export function repoOption(command: Command): Command {
  return command.option('--repo <dir>', 'the repository; without it, the current directory');
}

/** `--soft` and `--strict`, of which a command takes one. */
export function softOrStrict(command: Command): Command {
  return command
    .addOption(new Option('--soft', 'only warn of what is missing').conflicts('strict'))
    .addOption(new Option('--strict', 'what is missing is an error'));
}
