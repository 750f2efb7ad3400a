import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../cli/client/connect.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import { readEvents, readJournal } from '../fixtures/scripted/journal.ts';
import { SCRIPTED_AGENT } from '../helpers/scriptedAgent.ts';
import { type Bench, createSheet, type Figure, type Sheet } from './figure.ts';
import { type Place, ROOT, withPlace } from './place.ts';
import { MARK, send } from './processes.ts';
import { openPty, type Pty } from './pty.ts';
import { makeRepository } from './repository.ts';

const SIZE = { columns: 160, rows: 40 };
/** How long a person takes to answer, and to decide. */
const DIALOG_MS = 1_500;
const DECISION_MS = 500;
const LOAD = 2;

const STEPS = {
  'a prompt, from the decision until it is recorded as sent': ['decided', 'sent'],
  '  of it until the phase has begun': ['decided', 'begun'],
  '  of it until the agent has the prompt': ['decided', 'submitted'],
  'a dialog, from the agent until it is painted': ['asked', 'asked painted'],
  '  of it until the stall is recorded': ['asked', 'stalled'],
  '  of it until a client has the event': ['asked', 'stalled seen'],
  'an end of a turn, from the agent until its gate is painted': ['ended', 'gate painted'],
  '  since the artifact was written': ['wrote', 'gate painted'],
  '  of it until the artifact is recorded as valid': ['ended', 'validated'],
  '  of it until the gate is recorded': ['ended', 'requested'],
  '  of it until a client has the gate': ['ended', 'requested seen'],
} as const;

/** On a loaded machine. */
const AIMS: Readonly<Record<string, number>> = {
  'a prompt, from the decision until it is recorded as sent': 400,
  'a dialog, from the agent until it is painted': 150,
  'an end of a turn, from the agent until its gate is painted': 260,
};

/** What a person waits for around one turn of an agent: its prompt, its question, and its end. */
export const turns: Bench = {
  name: 'turns',
  title: 'A turn of an agent, as a person sees it',
  reading:
    'A real daemon, the dashboard on a terminal of the benchmark, and the scripted program with the profile and the ' +
    'pauses of `claude`. A run of twelve phases with one agent: each is approved after 0.5 s, gets its prompt, asks for a ' +
    'permission, is answered after 1.5 s, writes its artifact and stops at a gate. The agent’s moments come from its ' +
    `own journal, the recorded ones from the run’s log. "Loaded" is with ${LOAD} processes beside it that use all they ` +
    'get.',
  async run({ rounds = 1 }) {
    const sheet = createSheet();
    for (let round = 0; round < rounds; round += 1) {
      await withTurns(async (turn) => {
        for (let nth = 1; nth < PHASES; nth += 1) note(sheet, '', await turn(nth));
      });
      await withTurns(async (turn, place) => {
        const stop = load(place);
        for (let nth = 1; nth < PHASES; nth += 1) note(sheet, 'loaded: ', await turn(nth));
        stop();
      });
    }
    return ['', 'loaded: '].flatMap((when) =>
      Object.keys(STEPS).map((name): Figure => {
        const [indent = ''] = /^ */.exec(name) ?? [];
        const aim = when === '' ? undefined : AIMS[name];
        const figure = { name: `${indent}${when}${name.trim()}`, unit: 'ms' as const, rounds: sheet.of(when + name) };
        return aim === undefined ? figure : { ...figure, aim: { below: aim } };
      }),
    );
  },
};

const PHASES = 12;
type Moments = ReadonlyMap<string, number>;

function note(sheet: Sheet, when: string, moments: Moments): void {
  for (const [name, [from, to]] of Object.entries(STEPS)) {
    sheet.add(when + name, (moments.get(to) ?? Number.NaN) - (moments.get(from) ?? Number.NaN));
  }
}

/** Lends a function that plays the next phase of a run. The run waits at the gate of the first phase. */
function withTurns(use: (turn: (nth: number) => Promise<Moments>, place: Place) => Promise<void>): Promise<void> {
  return withPlace(async (place) => {
    const configDir = join(place.home, 'scripted');
    writeConfig(place, configDir);
    writeTemplate(place);
    await place.devflow('up');
    const client = await place.connect();
    const { NO_COLOR: _, ...env } = place.env;
    const terminal = await openPty(`${join(ROOT, 'bin', 'devflow')} tui`, { env, ...SIZE });
    const started = await client.call('run.start', {
      repo: makeRepository(place, 'greeting'),
      template: 'bench-turns',
      backend: { worker: 'claude' },
      requirements: 'Nothing.\n\nScenario: permission\n',
    });
    if (!('runId' in started)) throw new Error('not started');
    const follow = await followedMoments(client, started.runId);
    terminal.write('\n');
    await terminal.sees(/p0_approved/);
    await use((nth) => playTurn({ client, terminal, configDir, follow, nth, runId: started.runId }), place);
    await terminal.close();
    client.close();
  });
}

interface Turn {
  client: Client;
  terminal: Pty;
  configDir: string;
  follow: Followed;
  nth: number;
  runId: string;
}

async function playTurn({ client, terminal, configDir, follow, nth, runId }: Turn): Promise<Moments> {
  const gates = await client.call('approval.list', { runId });
  const gate = gates.find(({ state, gateKey }) => state === 'pending' && gateKey === `p${nth - 1}_approved`);
  if (!gate) throw new Error(`no gate before turn ${nth}`);
  await pause(DECISION_MS);
  const moments = new Map<string, number>();
  follow.moments = moments;
  moments.set('decided', Date.now());
  await client.call('approval.decide', { approvalId: gate.id, action: 'approve', clientToken: randomUUID() });
  await follow.until('sent');
  terminal.forget();
  await terminal.sees(/asks for permission/);
  moments.set('asked painted', Date.now());
  await follow.until('stalled');
  terminal.forget();
  await terminal.sees(new RegExp(`p${nth}_approved`));
  moments.set('gate painted', Date.now());
  await follow.until('requested');
  moments.set('submitted', Date.parse((await readJournal(configDir)).at(-1)?.at ?? ''));
  const events = await readEvents(configDir);
  for (const [name, what] of Object.entries({ asked: 'dialog-opened', wrote: 'wrote', ended: 'turn-ended' })) {
    moments.set(name, Date.parse(events.findLast((event) => event.what === what)?.at ?? ''));
  }
  return moments;
}

interface Followed {
  moments: Map<string, number>;
  /** Resolves when this moment of the present turn has come. */
  until(name: string): Promise<void>;
}

const RECORDED: Readonly<Record<string, string>> = {
  'phase.started': 'begun',
  'prompt.sent': 'sent',
  'artifact.validated': 'validated',
};

/** The moments of the run's log, by its own clock and by when they arrive here. */
async function followedMoments(client: Client, runId: string): Promise<Followed> {
  let told = () => {};
  const followed: Followed = {
    moments: new Map(),
    async until(name) {
      while (!followed.moments.has(name)) await new Promise<void>((resolve) => (told = resolve));
    },
  };
  await client.subscribe({ runId, kinds: ['run.event_appended'] }, (notification) => {
    const name = momentOf(notification);
    if (name === undefined || notification.event !== 'run.event_appended') return;
    followed.moments.set(name, Date.parse(notification.data.ts));
    followed.moments.set(`${name} seen`, Date.now());
    told();
  });
  return followed;
}

function momentOf(notification: NotificationParams): string | undefined {
  if (notification.event !== 'run.event_appended') return undefined;
  const { type, payload } = notification.data;
  if (type === 'run.stalled') return payload.stall ? 'stalled' : undefined;
  if (type === 'approval.requested') return /^p\d+_approved$/.test(String(payload.gateKey)) ? 'requested' : undefined;
  return RECORDED[type];
}

/** Processes that use all they get. They are ended with the place, too. */
function load({ home }: Place): () => void {
  const busy = Array.from({ length: LOAD }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { env: { [MARK]: home }, stdio: 'ignore' }),
  );
  return () => {
    for (const { pid } of busy) if (pid !== undefined) send(pid, 'SIGKILL');
  };
}

/** The agent is the scripted program, which stands in for Claude with Claude's own profile. */
function writeConfig({ paths }: Place, configDir: string): void {
  mkdirSync(configDir, { recursive: true });
  const env = {
    CLAUDE_CONFIG_DIR: configDir,
    SCRIPTED: JSON.stringify({ 'busy-ms': 300, 'dialog-ms': DIALOG_MS }),
    SCRIPTED_CONFIG_DIR: configDir,
    SCRIPTED_FIXTURES: join(ROOT, 'schemas', 'artifacts', 'fixtures'),
  };
  mkdirSync(join(paths.configFile, '..'), { recursive: true });
  // JSON is YAML.
  writeFileSync(paths.configFile, JSON.stringify({ backends: { claude: { binaryPath: SCRIPTED_AGENT, env } } }));
}

function writeTemplate({ paths }: Place): void {
  mkdirSync(paths.userTemplates, { recursive: true });
  const phases = Array.from({ length: PHASES }, (_, nth) => ({
    key: `p${nth}`,
    title: `Step ${nth}`,
    risk: 'low',
    roles: ['worker'],
    gates: [`p${nth}_approved`],
    expectedArtifact: { path: `p${nth}.json`, schema: 'dev/spec@1' },
    instructions: 'Answer.\n\n{{requirements}}',
  }));
  const roles = [{ id: 'worker', requiredCapabilities: ['spec_write'], preferredBackends: ['claude'] }];
  const template = { name: 'bench-turns', version: 1, roles, phases };
  writeFileSync(join(paths.userTemplates, 'bench-turns@1.yaml'), JSON.stringify(template));
}
