import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { readEvents, readJournal, type ScriptedEvent } from '../fixtures/scripted/journal.ts';
import { eventually } from '../helpers/eventually.ts';
import { processesOf } from '../helpers/leaks.ts';
import { until as waitUntil } from '../helpers/until.ts';

export const SCRIPTED_BIN = join(import.meta.dirname, '../fixtures/scripted/bin');
const FIXTURES = join(packageRoot(), 'schemas/artifacts/fixtures');
const CONF = 'set -g focus-events off\nset -g extended-keys off\nset -g remain-on-exit on\nset -g escape-time 0\n';

export interface GivenAgent {
  scripted?: string;
  args?: string[];
  /** Hooks of the settings file: each appends what it is told to `<home>/hooks.jsonl`. */
  hooks?: string[];
  env?: Record<string, string>;
  /** Returns before the program is ready. */
  early?: boolean;
}

export type Agent = Awaited<ReturnType<typeof givenAgent>>;

/** A scripted agent in a pane of a tmux server of the test's own; both are gone after the test. */
export async function givenAgent({ scripted = '', args = [], hooks, env = {}, early }: GivenAgent = {}) {
  const home = mkdtempSync(join(tmpdir(), 'dfs-'));
  const config = join(home, 'config');
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  writeFileSync(join(home, 'tmux.conf'), CONF);
  const settings = join(home, 'settings.json');
  const hookLog = join(home, 'hooks.jsonl');
  const command = `{ cat; echo; } >> '${hookLog}'`;
  writeFileSync(
    settings,
    JSON.stringify({
      hooks: Object.fromEntries(
        (hooks ?? []).map((name) => [name, [{ hooks: [{ type: 'command', command, timeout: 5 }] }]]),
      ),
    }),
  );
  const PATH = [SCRIPTED_BIN, dirname(process.execPath), process.env.PATH].join(delimiter);

  const tmux = async (command: string[], input?: string | Buffer) => {
    const outcome = await execa('tmux', ['-L', 'scripted', '-f', join(home, 'tmux.conf'), ...command], {
      input,
      cwd: home,
      env: { HOME: home, TMUX_TMPDIR: home, PATH, LANG: 'C.UTF-8' },
      extendEnv: false,
    });
    return outcome.stdout;
  };

  const events = async (what: string, facts: Record<string, unknown> = {}) =>
    (await readEvents(config)).filter(
      (each) => each.what === what && Object.entries(facts).every(([name, value]) => each[name] === value),
    );
  const until = (what: string, facts: Record<string, unknown> = {}, count = 1): Promise<ScriptedEvent> =>
    eventually(async () => {
      const found = await events(what, facts);
      expect(found.length, `${count} × ${what} ${JSON.stringify(facts)}`).toBeGreaterThanOrEqual(count);
      return found[count - 1] as ScriptedEvent;
    });

  /** One more program in a pane of its own, on the same configuration directory. */
  async function launch(more: { args?: string[]; scripted?: string } = {}) {
    const variables = {
      SCRIPTED: more.scripted ?? scripted,
      SCRIPTED_CONFIG_DIR: config,
      SCRIPTED_FIXTURES: FIXTURES,
      PATH,
      HOME: home,
      ...env,
    };
    const given = [...(more.args ?? args), ...(hooks ? ['--settings', settings] : [])];
    // `env` before it: with one word tmux would ask a shell.
    const words = [
      '-P',
      '-F',
      '#{pane_id} #{pane_pid}',
      '-c',
      cwd,
      ...Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      'env',
      'scripted-agent',
      ...given,
    ];
    const isFirst = !started;
    started = true;
    const printed = await tmux(
      isFirst ? ['new-session', '-d', '-x', '120', '-y', '40', ...words] : ['new-window', '-d', ...words],
    );
    const [pane = '', pid = ''] = printed.split(' ');
    return { pane, pid: Number(pid) };
  }

  let started = false;
  onTestFinished(async () => {
    await tmux(['kill-server']).catch(() => {});
    for (const { pid, child } of await readEvents(config)) {
      for (const each of [pid, child]) if (typeof each === 'number') end(each);
    }
    // A program that ended may have begun a hook, which writes here.
    await waitUntil('its processes have ended', () => {
      const left = processesOf(home);
      for (const each of left) end(each.pid);
      return left.length === 0;
    });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  const { pane, pid } = await launch();
  const agent = {
    home,
    config,
    cwd,
    pane,
    pid,
    tmux,
    events,
    until,
    launch,
    journal: () => readJournal(config),
    /** Resolves with the journal when it has so many lines. */
    submitted: (count = 1) =>
      eventually(async () => {
        const journal = await readJournal(config);
        expect(journal).toHaveLength(count);
        return journal;
      }),
    paste: (text: string | Buffer, to = pane) =>
      tmux(['load-buffer', '-b', 'prompt', '-', ';', 'paste-buffer', '-b', 'prompt', '-p', '-r', '-d', '-t', to], text),
    keys: (...keys: string[]) => tmux(['send-keys', '-t', pane, ...keys]),
    type: (text: string) => tmux(['send-keys', '-t', pane, '-l', text]),
    screen: (of = pane) => tmux(['capture-pane', '-p', '-t', of]),
    format: (format: string, of = pane) => tmux(['display-message', '-p', '-t', of, format]),
    shows: (text: string | RegExp, of = pane) =>
      eventually(async () => expect(await tmux(['capture-pane', '-p', '-t', of])).toMatch(text)),
    /** How the program in a pane ended. Debian's tmux loses a SIGCHLD now and then, and the status with it. */
    ended: (of = pane) =>
      eventually(async () => {
        const format = '#{pane_dead},#{pane_dead_status},#{pane_dead_signal},#{pid}';
        const [dead, status = '', signal = '', server] = (await agent.format(format, of)).split(',');
        if (dead === '1' && !status && !signal) process.kill(Number(server), 'SIGCHLD');
        expect(dead).toBe('1');
        expect(status + signal).not.toBe('');
        return signal ? `signal ${signal}` : Number(status);
      }),
    state: (of = pid) => {
      const path = join(config, 'sessions', `${of}.json`);
      return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
    },
    hooked: (): { hook_event_name: string; [name: string]: unknown }[] =>
      existsSync(hookLog)
        ? readFileSync(hookLog, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line))
        : [],
    /** Pastes and waits until the composer has it, then Enter. */
    async prompt(text: string) {
      const before = (await events('pasted')).length;
      await agent.paste(text);
      await until('pasted', {}, before + 1);
      await agent.keys('Enter');
    },
  };
  if (!early) await until('ready');
  return agent;
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}
