import { PhaseKind } from '../../schemas/enums.ts';

/** What a folder (or file) may import. The longest path that fits a file decides. */
export interface Rule {
  /** Folders and files of ours. Its own folder is always allowed, and `schemas` to all but `tmux`. */
  may: readonly string[];
  /** Only types of these. */
  types?: readonly string[];
  /** Packages and `node:` modules; absent: any. */
  packages?: readonly string[];
}

/** What performers may use beside the core: agents, git, commands and the store. */
const PERFORMING = [
  'schemas',
  'daemon/core',
  'daemon/sessions',
  'daemon/artifacts',
  'daemon/commands',
  'daemon/definitions/factory',
  'daemon/discovery',
  'daemon/measure',
  'daemon/policy',
  'daemon/repository',
  'daemon/rights',
  'daemon/store',
  'daemon/report',
  'daemon/sandbox',
  'daemon/setup',
  'daemon/system',
  'daemon/contracts/writeWhole.ts',
  'daemon/contracts/exchange/keepFiles.ts',
  'daemon/contracts/match.ts',
];

/** The rooms of a kind of phase. No kind imports another. */
const roomsOfKind = (kind: string): Record<string, Rule> => ({
  // The lists of events and of gates are made of these.
  [`schemas/kinds/${kind}/events.ts`]: { may: ['schemas'], packages: ['zod'] },
  [`schemas/kinds/${kind}/gates.ts`]: { may: ['schemas'], packages: [] },
  [`daemon/kinds/${kind}`]: { may: ['schemas', 'daemon/core'], packages: [] },
  // What a run has because of the kind, and what it asks of performers: the core is made of these types.
  [`daemon/kinds/${kind}/state.ts`]: {
    may: ['schemas', 'daemon/kinds/stateRules.ts', `daemon/kinds/${kind}/graph`],
    packages: [],
  },
  [`daemon/kinds/${kind}/effect.ts`]: { may: ['schemas', 'daemon/core/run'], packages: [] },
  [`daemon/kinds/${kind}/performers`]: { may: [...PERFORMING, `daemon/kinds/${kind}`, 'daemon/engine/performers'] },
});

const PURE_NODE = ['node:fs', 'node:crypto', 'node:path', 'node:os', 'node:util'];

export const TABLE: Readonly<Record<string, Rule>> = {
  // CLI and daemon resolve paths and configuration here, so that they agree. That needs node:os and node:util.
  schemas: { may: [], packages: ['zod', 'yaml', 'ajv', 'ajv-formats', 'canonicalize', ...PURE_NODE] },
  // Whether a pid is the embedded server, for CLI and daemon. Without /proc it asks ps.
  'schemas/embeddedServer/postmasterFile.ts': { may: ['schemas'], packages: ['node:child_process', ...PURE_NODE] },
  // Whether a pid is a keeper. Without /proc it asks ps.
  'schemas/keeper/record.ts': { may: ['schemas'], packages: ['node:child_process', ...PURE_NODE] },
  'schemas/events/index.ts': { may: ['schemas'], packages: ['zod'] },
  // Contracts are checked the same way by a daemon, a script and a step of CI.
  'schemas/contracts': {
    may: [
      'schemas/text/phrases.ts',
      'schemas/text/compareText.ts',
      'schemas/defined.ts',
      'schemas/errors.ts',
      'schemas/files/fitsPattern.ts',
    ],
    packages: ['zod', 'yaml'],
  },
  // Of kinds, the core knows the tables, and the types that its own are made of.
  'daemon/core': {
    may: ['schemas', 'daemon/kinds/index.ts', 'daemon/kinds/states.ts', 'daemon/kinds/effects.ts'],
    types: PhaseKind.options.flatMap((kind) => [`daemon/kinds/${kind}/state.ts`, `daemon/kinds/${kind}/effect.ts`]),
    packages: [],
  },
  'daemon/kinds': { may: ['schemas', 'daemon/core'], packages: [] },
  // Tables of types and of what the core reads of a state, below the core itself.
  'daemon/kinds/stateRules.ts': { may: ['schemas'], packages: [] },
  'daemon/kinds/states.ts': { may: ['schemas', 'daemon/kinds'], packages: [] },
  'daemon/kinds/effects.ts': { may: ['schemas', 'daemon/kinds'], packages: [] },
  ...Object.assign({}, ...PhaseKind.options.map(roomsOfKind)),
  'daemon/engine/performers': {
    may: [...PERFORMING, 'daemon/kinds', 'daemon/sheet'],
    types: ['daemon/events/worktreeProgress.ts'],
  },
  'daemon/engine/allPerformers.ts': { may: ['schemas', 'daemon/engine/performers', 'daemon/kinds'] },
  // What drives runs, whatever engine does it.
  'daemon/engine/runEngine.ts': { may: ['schemas', 'daemon/core', 'daemon/kinds'] },
  'daemon/engine/local': {
    may: [
      'schemas',
      'daemon/core',
      'daemon/engine/performers',
      'daemon/engine/runEngine.ts',
      'daemon/artifacts',
      'daemon/commands',
      'daemon/definitions/factory',
      'daemon/discovery',
      'daemon/kinds',
      'daemon/measure',
      'daemon/policy',
      'daemon/repository',
      'daemon/setup',
      'daemon/store',
      'daemon/settings',
      'daemon/sessions',
      'daemon/events',
      'daemon/system',
      'daemon/log/log.ts',
      'daemon/contracts',
    ],
    types: ['daemon/db'],
  },
  // The local engine on each host, except that a Temporal server says what begins.
  'daemon/engine/temporal': {
    may: ['schemas', 'daemon/core', 'daemon/engine/local', 'daemon/engine/performers', 'daemon/engine/runEngine.ts'],
    types: ['daemon/system'],
  },
  'daemon/engine/hosts': {
    may: ['schemas', 'daemon/core', 'daemon/engine/local/commitOf.ts'],
    types: ['daemon/events', 'daemon/store'],
  },
  // In Temporal's sandbox there is no clock, no randomness and no Node.
  'daemon/engine/temporal/plan.ts': { may: [], packages: [] },
  'daemon/engine/temporal/workflow.ts': { may: ['daemon/engine/temporal/plan.ts'], packages: ['@temporalio/workflow'] },
  // Time, signals, crash points and files: below everything in the daemon.
  'daemon/system': { may: ['schemas'] },
  'daemon/system/findProcesses.ts': { may: ['tmux/process/processes.ts', 'tmux/process/readProc.ts'] },
  'daemon/db': { may: ['schemas'] },
  'daemon/db/leaderProcess.ts': { may: ['schemas', 'tmux/process/processes.ts'] },
  'daemon/store': { may: ['schemas', 'daemon/db', 'daemon/core', 'daemon/kinds'] },
  // What is around the programs of agents and the commands of runs.
  'daemon/sandbox': {
    may: [
      'schemas',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/system/findProcesses.ts',
      'daemon/system/watchDirectory.ts',
    ],
  },
  'daemon/sessions': {
    may: ['schemas', 'tmux', 'daemon/sandbox', 'daemon/store', 'daemon/system'],
    types: ['daemon/events/worktreeProgress.ts'],
  },
  // The rooms of the sessions, the lowest first.
  'daemon/sessions/transcript': { may: ['schemas'], types: ['daemon/sessions/contract/adapter.ts'] },
  'daemon/sessions/fake': {
    may: ['schemas', 'daemon/sessions/transcript'],
    types: ['daemon/sessions/contract/adapter.ts'],
  },
  // How a program reports its state, and what that is worth as evidence.
  'daemon/sessions/tmux/profile': {
    may: ['schemas'],
    types: ['daemon/sandbox/prepareSandbox.ts', 'daemon/sessions/contract/adapter.ts'],
  },
  'daemon/sessions/tmux/server': {
    may: ['schemas', 'tmux'],
    types: ['daemon/sessions/contract/adapter.ts', 'daemon/sessions/tmux/profile'],
  },
  'daemon/sessions/tmux/output': {
    may: ['schemas', 'tmux', 'daemon/system/watchDirectory.ts'],
    types: ['daemon/sessions/contract/adapter.ts', 'daemon/sessions/tmux/server'],
  },
  'daemon/sessions/tmux/process': {
    may: [
      'schemas',
      'tmux',
      'daemon/system/findProcesses.ts',
      'daemon/system/jsonLines.ts',
      'daemon/sessions/tmux/output',
      'daemon/sessions/tmux/server',
    ],
    types: ['daemon/sessions/contract/adapter.ts'],
  },
  'daemon/sessions/tmux/observe': {
    may: [
      'schemas',
      'tmux',
      'daemon/system/watchDirectory.ts',
      'daemon/sessions/tmux/output',
      'daemon/sessions/tmux/profile',
    ],
    types: ['daemon/sessions/tmux/process'],
  },
  'daemon/sessions/tmux/deliver': {
    may: [
      'schemas',
      'tmux',
      'daemon/system/jsonLines.ts',
      'daemon/sessions/tmux/observe',
      'daemon/sessions/tmux/profile',
    ],
  },
  'daemon/sessions/tmux/stall': {
    may: [
      'schemas',
      'daemon/sessions/transcript/maskSecrets.ts',
      'daemon/sessions/tmux/observe',
      'daemon/sessions/tmux/process',
      'daemon/sessions/tmux/profile',
    ],
    types: ['daemon/sessions/contract/adapter.ts'],
  },
  'daemon/sessions/profiles': {
    may: ['schemas', 'daemon/sessions/tmux/observe', 'daemon/sessions/tmux/profile'],
  },
  // What a worktree says to agents, and what in it would run.
  'daemon/sessions/instructions': { may: ['schemas'], types: ['daemon/sessions/tmux/profile'] },
  // What a commit of a repository lets agents run.
  'daemon/rights': { may: ['schemas', 'daemon/repository/git', 'daemon/sessions/transcript/maskSecrets.ts'] },
  // What works on files, commands and git, the lowest first.
  'daemon/policy/call': { may: ['schemas'] },
  'daemon/policy/shell': { may: ['schemas', 'daemon/policy/call'] },
  'daemon/policy/rules': { may: ['schemas', 'daemon/policy/call'] },
  'daemon/policy/unwrap': { may: ['schemas', 'daemon/policy/call', 'daemon/policy/rules'] },
  'daemon/policy': { may: ['schemas'] },
  'daemon/artifacts': { may: ['schemas', 'daemon/policy', 'daemon/system'] },
  'daemon/commands': { may: ['schemas', 'daemon/policy', 'daemon/system/findProcesses.ts'] },
  'daemon/repository/git': { may: ['schemas', 'daemon/policy'] },
  'daemon/repository/privateGit': { may: ['schemas', 'daemon/repository/git', 'daemon/commands'] },
  'daemon/repository/submodule': { may: ['schemas', 'daemon/repository/git', 'daemon/repository/privateGit'] },
  'daemon/repository/tree': { may: ['schemas', 'daemon/repository/git', 'daemon/repository/privateGit'] },
  'daemon/repository/worktree': {
    may: [
      'schemas',
      'daemon/artifacts',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/repository/submodule',
      'daemon/repository/tree',
    ],
  },
  // What a repository says about its own commands.
  'daemon/discovery': {
    may: [
      'schemas',
      'daemon/commands',
      'daemon/repository/git',
      'daemon/policy',
      'daemon/repository/privateGit',
      'daemon/repository/tree',
      'daemon/repository/worktree',
    ],
  },
  // Makes a worktree ready for its commands.
  'daemon/setup': {
    may: [
      'schemas',
      'daemon/artifacts',
      'daemon/commands',
      'daemon/policy/rules/secrets.ts',
      'daemon/repository/checkout',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/repository/tree',
      'daemon/repository/worktree',
      'daemon/system/inParts.ts',
    ],
  },
  // What a repository's settings and devflow's guesses say about its runs, and what the person allowed.
  'daemon/settings': {
    may: [
      'schemas',
      'daemon/discovery',
      'daemon/policy',
      'daemon/repository/checkout',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/rights',
      'daemon/system/clock.ts',
    ],
  },
  // Tries them in a scratch worktree.
  'daemon/settings/init': {
    may: [
      'schemas',
      'daemon/commands',
      'daemon/discovery/removeLeftovers.ts',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/repository/worktree',
      'daemon/settings',
      'daemon/setup',
    ],
  },
  'daemon/repository/checkout': {
    may: ['schemas', 'daemon/repository/git', 'daemon/repository/privateGit', 'daemon/repository/submodule'],
  },
  // Finds and reads what changed: of a person for a review, of agents for what follows.
  'daemon/repository/change': {
    may: [
      'schemas',
      'daemon/repository/checkout',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/repository/tree',
    ],
  },
  'daemon/repository/apply': {
    may: [
      'schemas',
      'daemon/repository/checkout',
      'daemon/commands',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/repository/tree',
    ],
  },
  // What ended runs left, and why it must stay.
  'daemon/repository/ends': {
    may: ['schemas', 'daemon/repository/git', 'daemon/repository/privateGit', 'daemon/repository/worktree'],
  },
  'daemon/repository/merge': {
    may: [
      'schemas',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/repository/tree',
      'daemon/repository/submodule',
      'daemon/repository/worktree',
    ],
  },
  // A conflict of lanes: laid out in the lane, ended by its agent, and proven.
  'daemon/repository/conflict': {
    may: [
      'schemas',
      'daemon/repository/git',
      'daemon/repository/privateGit',
      'daemon/repository/tree',
      'daemon/repository/worktree',
      'daemon/repository/merge',
    ],
  },
  // Drafts of templates, and how they are promoted.
  'daemon/definitions/factory': { may: ['schemas'] },
  // Takes up the definition files of the person.
  'daemon/definitions': {
    may: ['schemas', 'daemon/system'],
    types: ['daemon/events', 'daemon/store'],
  },
  // Reads and writes the files of contracts.
  'daemon/contracts': { may: ['schemas', 'daemon/repository/git', 'daemon/system'] },
  'daemon/events': { may: ['schemas', 'daemon/store'], types: ['daemon/db'] },
  'daemon/rpc': { may: ['schemas'], types: ['daemon/events'] },
  'daemon/statusLine': {
    may: ['schemas', 'tmux', 'daemon/core', 'daemon/system'],
    types: ['daemon/events'],
  },
  // What leaves the machine: it is made of the run alone, and of nothing that an agent wrote.
  'daemon/notify/webhook': {
    may: ['schemas', 'daemon/core', 'daemon/sessions/transcript/maskSecrets.ts'],
    types: ['daemon/events', 'daemon/store/webhookNotices.ts'],
    packages: ['node:crypto', 'node:path', 'pino'],
  },
  // When the starts of schedules are due. What starts them is given.
  'daemon/schedule': {
    may: ['schemas', 'daemon/system'],
    types: ['daemon/store'],
    packages: ['croner'],
  },
  // What starts the daemon again knows nothing of the daemon.
  'daemon/keeper': { may: ['schemas', 'daemon/statusLine'] },
  // The rooms that answer the methods: they know all parts, but not the socket.
  'daemon/api': {
    may: [
      'daemon/system/inParts.ts',
      'schemas',
      'daemon/contracts',
      'daemon/core',
      'daemon/engine',
      'daemon/artifacts',
      'daemon/commands',
      'daemon/definitions/factory',
      'daemon/discovery',
      'daemon/kinds',
      'daemon/measure',
      'daemon/policy',
      'daemon/repository',
      'daemon/settings',
      'daemon/report',
      'daemon/sheet',
      'daemon/sandbox',
      'daemon/schedule',
      'daemon/setup',
      'daemon/store',
      'daemon/system/clock.ts',
      'daemon/events/worktreeProgress.ts',
    ],
    types: ['daemon/db', 'daemon/events', 'daemon/rpc', 'daemon/sessions'],
  },
  'daemon/report': { may: ['schemas', 'daemon/core', 'daemon/kinds', 'daemon/sheet'] },
  // The page of a gate, for all its readers.
  'daemon/sheet': { may: ['schemas', 'daemon/core', 'daemon/kinds'], packages: ['zod'] },
  'daemon/doctor/probe': { may: ['schemas', 'daemon/db'] },
  'daemon/doctor/checks': {
    may: [
      'schemas',
      'daemon/db',
      'daemon/settings',
      'daemon/store',
      'daemon/contracts/readTree.ts',
      'daemon/doctor/probe',
      'daemon/repository/ends',
      'daemon/sandbox',
      'daemon/engine/temporal/connect.ts',
      'daemon/engine/temporal/loadSdk.ts',
      'tmux/process/reclaimServer.ts',
    ],
  },
  'daemon/doctor': { may: ['schemas', 'daemon/db', 'daemon/store'] },
  'daemon/doctor/agents': { may: ['schemas', 'tmux', 'daemon/sandbox', 'daemon/sessions', 'daemon/doctor'] },
  // boot.ts and its helpers: everything in the daemon.
  daemon: { may: ['schemas', 'tmux', 'daemon'] },
  // The rooms of the tmux driver, the lowest first.
  'tmux/command': { may: ['tmux/command/errors.ts', 'tmux/command/ids.ts'], packages: ['node:*'] },
  'tmux/server': { may: ['tmux/command/errors.ts', 'tmux/command'], packages: ['node:*'] },
  'tmux/panes': {
    may: ['tmux/command/errors.ts', 'tmux/command/ids.ts', 'tmux/command', 'tmux/server'],
    packages: ['node:*'],
  },
  'tmux/clients': {
    may: ['tmux/command/errors.ts', 'tmux/command/ids.ts', 'tmux/command', 'tmux/server'],
    packages: ['node:*'],
  },
  'tmux/process': {
    may: ['tmux/command/errors.ts', 'tmux/command/ids.ts', 'tmux/command', 'tmux/server', 'tmux/panes'],
    packages: ['node:*'],
  },
  'tmux/control': {
    may: [
      'tmux/command/errors.ts',
      'tmux/command/ids.ts',
      'tmux/command',
      'tmux/server',
      'tmux/clients',
      'tmux/process',
    ],
    packages: ['node:*'],
  },
  tmux: { may: [], packages: ['node:*'] },
  'cli/client': { may: ['schemas'], packages: ['@xterm/headless', 'get-east-asian-width', 'node:*'] },
  'cli/print': { may: ['schemas', 'cli/client', 'cli/io/io.ts'], packages: ['node:*'] },
  'cli/daemon': { may: ['schemas', 'cli/client', 'cli/io/io.ts', 'cli/print'], packages: ['node:*'] },
  'cli/input': { may: ['schemas', 'cli/client', 'cli/io/io.ts', 'cli/print', 'cli/daemon'], packages: ['node:*'] },
  'cli/attach': { may: ['schemas', 'cli/client', 'cli/io/io.ts', 'tmux'], packages: ['node:*'] },
  'cli/run': {
    may: ['schemas', 'cli/client', 'cli/io/io.ts', 'cli/io/interrupt.ts', 'cli/print', 'cli/daemon'],
    packages: [],
  },
  // Another program's way to the methods. It is built as one file, which no other command loads.
  'cli/mcp': {
    may: ['schemas', 'cli/client', 'cli/io', 'cli/print', 'cli/daemon', 'cli/run/followRun.ts', 'cli/define/mcp.ts'],
    packages: ['@modelcontextprotocol/server', 'zod', 'node:*'],
  },
  'cli/service': { may: ['schemas'], packages: ['node:*'] },
  'cli/completion': {
    may: [
      ...['schemas', 'cli/client', 'cli/io/io.ts', 'cli/print', 'cli/daemon'],
      ...['cli/define/verbs.ts', 'cli/input/onlyOne.ts'],
    ],
    packages: ['commander', 'node:*'],
  },
  // What commands take, as data: `cli/program.ts` joins it with their files, which the build keeps apart.
  'cli/define': {
    may: ['schemas', 'cli/client/parseArgv.ts', 'cli/io/io.ts', 'cli/input'],
    packages: ['commander', 'node:crypto', 'node:path'],
  },
  cli: { may: ['schemas', 'cli/client', 'tmux'], packages: ['commander', 'node:*'] },
  // The dashboard, lowest folder first: each imports only folders above it in this list.
  'tui/text': { may: ['schemas', 'cli/client/textWidth.ts'], packages: ['diff'] },
  'tui/model': { may: ['schemas', 'tui/text'], packages: [] },
  'tui/widgets': { may: ['schemas', 'cli/client/textWidth.ts', 'tui/text', 'tui/model'], packages: [] },
  'tui/screens': { may: ['schemas', 'cli/client', 'tui/text', 'tui/model', 'tui/widgets'], packages: [] },
  'tui/keys': { may: ['schemas', 'tui/model', 'tui/screens'], packages: [] },
  'tui/overlays': {
    may: ['schemas', 'tui/text', 'tui/model', 'tui/widgets', 'tui/screens', 'tui/keys'],
    packages: [],
  },
  'tui/update': {
    may: ['schemas', 'tui/text', 'tui/model', 'tui/widgets', 'tui/screens', 'tui/keys', 'tui/overlays'],
    packages: [],
  },
  'tui/data': { may: ['schemas', 'cli/client', 'tui/text', 'tui/model', 'tui/system/timers.ts'], packages: [] },
  'tui/terminal': {
    may: ['schemas', 'cli/client/textWidth.ts', 'tui/text', 'tui/system/timers.ts'],
    types: ['tui/model'],
    packages: ['node:*'],
  },
  // The CLI and the dashboard open the same editor.
  'tui/effects': {
    may: ['schemas', 'cli/client', 'cli/input/editor.ts', 'tui/text', 'tui/model'],
    types: ['tui/terminal'],
    packages: ['node:*'],
  },
  tui: { may: ['schemas', 'tui', 'cli/client'], packages: ['node:*'] },
};

/** The only files that may import a package. */
export const ONLY_IN: Readonly<Record<string, string>> = {
  croner: 'daemon/schedule/nextTime.ts',
  'neo-blessed': 'tui/terminal/blessed.ts',
  '@modelcontextprotocol/server': 'cli/mcp/server.ts',
  '@temporalio/workflow': 'daemon/engine/temporal/workflow.ts',
};
