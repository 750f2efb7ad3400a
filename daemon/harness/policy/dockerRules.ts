import { type Finding, mayBeOption, unreadable, type Word } from './finding.ts';
import { given, parseOptions } from './options.ts';

const ENGINES = new Set(['docker', 'podman', 'nerdctl']);
const COMPOSE = new Set(['docker-compose', 'podman-compose']);
const ENGINE_VALUED = [
  '-H',
  '--host',
  '-c',
  '--context',
  '--config',
  '-l',
  '--log-level',
  '--tlscacert',
  '--tlscert',
  '--tlskey',
];
const COMPOSE_VALUED = [
  ...['-f', '--file', '-p', '--project-name', '--profile', '--env-file', '--project-directory', '--ansi'],
  ...['--parallel', '--progress', '-t', '--timeout', '--rmi'],
];

/** Commands that delete volumes, that is, databases. */
export function dockerRule(program: string, args: Word[]): Finding | undefined {
  if (COMPOSE.has(program)) return composeRule(args);
  if (!ENGINES.has(program)) return undefined;
  const [group, ...rest] = parseOptions(args, ENGINE_VALUED, true).operands;
  if (group?.dynamic) return unreadable(`the subcommand of ${program} comes from a variable`);
  if (group?.text === 'compose') return composeRule(rest);
  if (group?.text === 'volume') {
    const verb = parseOptions(rest, [], true).operands[0];
    if (verb?.dynamic) return unreadable(`the subcommand of ${program} volume comes from a variable`);
    if (/^(?:rm|remove|prune)$/.test(verb?.text ?? '')) {
      return { rule: 'docker_volume_rm', reason: `${program} volume ${verb?.text} deletes data that is nowhere else` };
    }
  }
  if (
    group?.text === 'system' &&
    rest[0]?.text === 'prune' &&
    given(parseOptions(rest, ['--filter']).options, '--volumes')
  ) {
    return { rule: 'docker_volume_rm', reason: `${program} system prune --volumes deletes data that is nowhere else` };
  }
  return undefined;
}

function composeRule(args: Word[]): Finding | undefined {
  const [verb, ...rest] = parseOptions(args, COMPOSE_VALUED, true).operands;
  if (verb?.dynamic) return unreadable('the subcommand of docker compose comes from a variable');
  if (verb?.text !== 'down') return undefined;
  const { options } = parseOptions(rest, COMPOSE_VALUED);
  if (given(options, '-v', '--volumes')) {
    return {
      rule: 'docker_compose_down_volumes',
      reason: 'docker compose down with volumes deletes the databases in them',
    };
  }
  return rest.some(mayBeOption) ? unreadable('docker compose down is given words from variables') : undefined;
}
