import { mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { DevflowError } from '../../schemas/errors.ts';
import { PASSABLE, resolvePaths } from '../../schemas/files/paths.ts';
import { assertUsablePlaces } from '../../schemas/files/usablePlaces.ts';
import { adoptingArguments, keeperArguments, SHELL } from '../../schemas/keeper/keeperArguments.ts';
import { newRecord, runningKeeper, writeRecord } from '../../schemas/keeper/record.ts';
import { daemonEnvironment, keeperPrograms } from '../daemon/daemonProgram.ts';
import { refuseMarked } from '../daemon/refuseAgent.ts';
import { readDaemon } from '../daemon/withDaemon.ts';
import type { Actions, OwnOf } from '../define/command.ts';
import type { SERVICE } from '../define/daemon.ts';
import { confirm, DECLINED } from '../input/confirm.ts';
import type { Io } from '../io/io.ts';
import { printFacts, printJson } from '../print/output.ts';
import { tildePath } from '../print/text.ts';
import { askManager, lingers } from '../service/askManager.ts';
import { settingsLeftOut } from '../service/environment.ts';
import { installFiles, readInstalled, removeFiles, type Service } from '../service/files.ts';
import { serviceOf } from '../service/service.ts';

/** `devflow service …`. */
export const actions: Actions<typeof SERVICE> = {
  install: (_params, own, io) => install(io, unmarked(io, 'install'), own),
  remove: (_params, own, io) => remove(io, unmarked(io, 'remove'), own),
  status: async (_params, own, io) => status(io, serviceOf(io.env), own),
  run: (_params, _own, io) => run(io),
};

/** The service, for anybody but an agent. */
function unmarked(io: Io, name: string): Service {
  refuseMarked(io, `service ${name}`);
  return serviceOf(io.env);
}

/** Shows the file, asks, and writes it. */
async function install(io: Io, service: Service, { yes, dryRun }: OwnOf<typeof SERVICE.install>): Promise<number> {
  const { file, text, link } = service;
  const { text: before, atLogin } = readInstalled(service);
  if (before === text && atLogin) {
    io.out(`The service is installed: ${file}\n`);
    return 0;
  }
  io.out(`${file}${before === undefined ? '' : ', which replaces the one there,'} is to be:\n\n${text}\n`);
  if (link) io.out(`This link to it makes systemd start it at log-in: ${link.path}\n`);
  printLeftOut(io);
  if (dryRun) return 0;
  if (!yes && !(await confirm(io, 'Write it?', UNASKED))) return DECLINED;
  installFiles(service);
  askManager(service.reload, io.env);
  if (askManager(service.found, io.env) === 'not-found') {
    io.err(`Warning: systemd does not search ${dirname(file)}, so devflow does not start at log-in. ${ELSEWHERE}\n`);
    return 1;
  }
  io.out(`devflow starts at your next log-in. To start it now: ${service.startNow}\n`);
  if (link) io.out(lingerNote());
  return 0;
}

/** The user's systemd has an environment of its own. */
const ELSEWHERE =
  'Run service remove, then service install in a shell with the XDG_CONFIG_HOME that systemd has, or without.';

const UNASKED = {
  message: 'service install asks before it writes, and there is no terminal',
  hint: 'Say --yes. To see what it would write: --dry-run.',
};

function printLeftOut(io: Io): void {
  const names = settingsLeftOut(io.env);
  if (names.length === 0) return;
  const { envFile } = resolvePaths(io.env);
  io.err(`Warning: the service does not get ${names.join(', ')} from this shell. Set what it needs in ${envFile}.\n`);
}

function lingerNote(): string {
  const { username } = userInfo();
  if (lingers(username)) return 'It also runs while you are logged out, because linger is on for you.\n';
  return `It ends when you log out everywhere, and agents with it. To keep it: loginctl enable-linger ${username}\n`;
}

async function remove(io: Io, service: Service, { yes }: OwnOf<typeof SERVICE.remove>): Promise<number> {
  if (readInstalled(service).text === undefined) {
    removeFiles(service);
    io.out('The service is not installed.\n');
    return 0;
  }
  io.out(`To be removed: ${[service.file, service.link?.path].filter(Boolean).join(' and ')}\n`);
  const unasked = { message: 'service remove asks before it removes, and there is no terminal', hint: 'Say --yes.' };
  if (!yes && !(await confirm(io, 'Remove it?', unasked))) return DECLINED;
  removeFiles(service);
  askManager(service.reload, io.env);
  io.out('devflow no longer starts at log-in. A daemon that runs goes on; devflow down stops it.\n');
  return 0;
}

/** Exits with 1 if it is not installed, for scripts. */
function status(io: Io, service: Service, { json }: OwnOf<typeof SERVICE.status>): number {
  const { text, atLogin } = readInstalled(service);
  const keeper = runningKeeper(resolvePaths(io.env).keeperFile);
  const facts = {
    installed: text !== undefined,
    file: service.file,
    current: text === service.text,
    atLogin,
    state: askManager(service.state, io.env) ?? null,
    linger: service.link ? lingers(userInfo().username) : null,
    keptBy: keeper?.by ?? null,
  };
  if (json) printJson(io, facts);
  else if (!facts.installed) io.out('The service is not installed. To install it: devflow service install\n');
  else {
    printFacts(io, [
      [
        'file',
        `${tildePath(service.file, io.env)}${facts.current ? '' : ' (differs from what service install would write now)'}`,
      ],
      ['starts at log-in', atLogin ? 'yes' : 'no: run devflow service install'],
      ['state', facts.state ?? (service.state ? 'unknown: systemd does not answer' : null)],
      ['after log-out', facts.linger === null ? null : facts.linger ? 'runs on' : 'ends (loginctl enable-linger)'],
      ['daemon', keptBy(facts.keptBy)],
    ]);
  }
  return facts.installed ? 0 : 1;
}

function keptBy(by: 'up' | 'service' | null): string {
  if (by === null) return 'none, or without a keeper';
  return by === 'service' ? 'kept by the service' : 'kept by devflow up';
}

/** The program of a service: this process becomes the keeper of the daemon, in the foreground. */
async function run(io: Io): Promise<number> {
  const { env } = io;
  refuseMarked(io, 'service run');
  assertUsablePlaces(env);
  const { keeperFile, socketPath, stateDir } = resolvePaths(env);
  const other = runningKeeper(keeperFile);
  if (other) {
    io.out(`Another keeper (pid ${other.pid}) already keeps the daemon.\n`);
    return 0;
  }
  const daemonPid = await readDaemon(io, async (client) => (await client.call('daemon.status')).daemon.pid);
  const programs = keeperPrograms(env);
  const words = daemonPid === undefined ? keeperArguments(programs) : adoptingArguments(programs, daemonPid);
  mkdirSync(stateDir, { recursive: true, mode: PASSABLE });
  process.chdir(stateDir);
  writeRecord(keeperFile, newRecord(process.pid, 'service', socketPath));
  process.execve?.(SHELL, [SHELL, ...words], daemonEnvironment(env) as NodeJS.ProcessEnv);
  throw new DevflowError('internal', 'this Node cannot become another program: devflow needs Node 22.18 or newer');
}
