import { type Call, type CallRule, mayBeOption, type Word } from '../call/call.ts';
import { given, parseOptions } from '../call/options.ts';
import { unreadable, type Violation } from '../call/violation.ts';

const ENGINE_VALUED = [
  ...['-H', '--host', '-c', '--context', '--config', '-l', '--log-level', '--tlscacert', '--tlscert', '--tlskey'],
];
const COMPOSE_VALUED = [
  ...['-f', '--file', '-p', '--project-name', '--profile', '--env-file', '--project-directory', '--ansi'],
  ...['--parallel', '--progress', '-t', '--timeout', '--rmi'],
];

/** Commands that delete volumes, which often hold databases. */
function* engineRule({ name, args }: Call): Generator<Violation> {
  const [group, ...rest] = parseOptions(args, ENGINE_VALUED, true).operands;
  if (group?.dynamic) yield unreadable(`the subcommand of ${name} comes from a variable`);
  if (group?.text === 'compose') yield* composeOf(rest);
  const { options, operands } = parseOptions(rest, ['--filter']);
  const verb = operands[0];
  const reason = `${name} ${group?.text} ${verb?.text} deletes volumes and their data`;
  if (group?.text === 'volume') {
    if (verb?.dynamic) yield unreadable(`the subcommand of ${name} volume comes from a variable`);
    if (/^(?:rm|remove|prune)$/.test(verb?.text ?? '')) yield { rule: 'docker_volume_rm', reason };
  }
  if (group?.text === 'system' && verb?.text === 'prune' && given(options, '--volumes'))
    yield { rule: 'docker_volume_rm', reason };
}

function* composeRule({ args }: Call): Generator<Violation> {
  yield* composeOf(args);
}

function* composeOf(args: Word[]): Generator<Violation> {
  const { options: before, operands } = parseOptions(args, COMPOSE_VALUED, true);
  const [verb, ...rest] = operands;
  if (verb?.dynamic) yield unreadable('the subcommand of docker compose comes from a variable');
  if (verb?.text !== 'down' || before.some((option) => option.name === '--dry-run')) return;
  const { options } = parseOptions(rest, COMPOSE_VALUED);
  const reason = 'docker compose down -v deletes volumes and their data';
  if (given(options, '-v', '--volumes')) yield { rule: 'docker_compose_down_volumes', reason };
  else if (rest.some(mayBeOption)) yield unreadable('docker compose down gets arguments from variables');
}

export const DOCKER: Record<string, CallRule> = {
  docker: engineRule,
  podman: engineRule,
  nerdctl: engineRule,
  'docker-compose': composeRule,
  'podman-compose': composeRule,
};
