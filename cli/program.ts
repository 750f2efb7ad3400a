import { Argument, Command } from 'commander';
import { APPROVAL } from './define/approval.ts';
import { AUTODEV } from './define/autodev.ts';
import { BACKTEST } from './define/backtest.ts';
import { ARTIFACT, PERSONA, POLICY, TEMPLATE } from './define/catalog.ts';
import { type Action, addCommand, addGroup, type Cli, type Declared, plainCommand } from './define/command.ts';
import { CONTRACT } from './define/contract.ts';
import { CYCLE } from './define/cycle.ts';
import { DEMO, DOCTOR, DOWN, HOST, SERVICE, STATUS, TUI, UP } from './define/daemon.ts';
import { argument, JSON_FLAG } from './define/entry.ts';
import { HANDOVER } from './define/handover.ts';
import { MCP } from './define/mcp.ts';
import { MESSAGE } from './define/message.ts';
import { REPOSITORY } from './define/repository.ts';
import { REVIEW } from './define/review.ts';
import { CLEANUP, RUN, WAIT } from './define/run.ts';
import { SCHEDULE } from './define/schedule.ts';
import { ATTACH, SESSION, WHY } from './define/session.ts';
import { FINISH, START } from './define/start.ts';
import { STATE } from './define/state.ts';
import { VERBS } from './define/verbs.ts';

/** The same on every terminal, so that the build can write the help texts once (see `build/build.ts`). */
const HELP_WIDTH = 80;

/** The whole command line. `cli/define` has the options and summaries, `cli/commands` the actions. */
export function createProgram(cli: Cli): Command {
  const program = new Command('devflow')
    .description(
      'Runs AI coding agents in tmux panes through workflow templates, with approval gates and an event log.',
    )
    .option('--version', 'print the version')
    .enablePositionalOptions()
    .exitOverride()
    // `commandLine.ts` prints all errors in one form.
    .configureOutput({ writeOut: cli.io.out, writeErr: cli.io.err, outputError: () => {} })
    .configureHelp({ helpWidth: HELP_WIDTH })
    .showSuggestionAfterError(true);
  addDaemon(program, cli);
  addVerbs(program, cli);
  addRuns(program, cli);
  addCatalog(program, cli);
  addContracts(program, cli);
  addScript(program, cli);
  const isKnown = program.commands.some((command) => command.name() === cli.only);
  return cli.only === undefined || isKnown ? program : createProgram({ ...cli, only: undefined });
}

function addDaemon(program: Command, cli: Cli): void {
  addCommand(program, cli, 'up', UP, () => import('./commands/up.ts'));
  addCommand(program, cli, 'down', DOWN, () => import('./commands/down.ts'));
  addCommand(program, cli, 'status', STATUS, () => import('./commands/status.ts'));
  addGroup(program, cli, ['host', 'the machines that share a database'], HOST, () => import('./commands/host.ts'));
  addCommand(program, cli, 'doctor', DOCTOR, () => import('./commands/doctor.ts'));
  addCommand(program, cli, 'tui', TUI, () => import('./commands/tui.ts'));
  addCommand(program, cli, 'demo', DEMO, () => import('./commands/demo.ts'));
  addGroup(program, cli, ['service', 'start devflow at log-in'], SERVICE, () => import('./commands/service.ts'));
}

const start = () => import('./commands/run/start.ts');
const list = () => import('./commands/run/list.ts');
const show = () => import('./commands/run/show.ts');
const diff = () => import('./commands/run/diff.ts');
const apply = () => import('./commands/run/apply.ts');
const follow = () => import('./commands/run/continue.ts');
const decide = () => import('./commands/approval/decide.ts');
const requestChanges = () => import('./commands/approval/requestChanges.ts');

/** The short verbs. `attach` has no longer name. */
function addVerbs(program: Command, cli: Cli): void {
  addCommand(program, cli, 'start', START, () => import('./commands/start.ts'));
  addCommand(program, cli, 'finish', FINISH, () => import('./commands/finish.ts'));
  addVerb(program, cli, 'ls', RUN.list, list);
  addVerb(program, cli, 'show', RUN.show, show);
  addVerb(program, cli, 'diff', RUN.diff, diff);
  addVerb(program, cli, 'apply', RUN.apply, apply);
  addVerb(program, cli, 'continue', RUN.continue, follow);
  addVerb(program, cli, 'approve', APPROVAL.approve, decide);
  addVerb(program, cli, 'changes', APPROVAL['request-changes'], requestChanges);
  addVerb(program, cli, 'reject', APPROVAL.reject, decide);
}

/** A verb has the definition and the action of its command. */
function addVerb<D extends Declared>(
  program: Command,
  cli: Cli,
  verb: keyof typeof VERBS,
  declared: D,
  load: () => Promise<{ action: Action<D> }>,
): void {
  const [group, name] = VERBS[verb];
  const summary = `${declared.summary}: devflow ${group} ${name}`;
  addCommand<D>(program, cli, verb, { ...declared, summary }, async () => {
    const { action } = await load();
    return { action: (params, own, io) => action(params, own, io, name) };
  });
}

function addRuns(program: Command, cli: Cli): void {
  const lanes = () => import('./commands/run/lanes.ts');
  const report = () => import('./commands/run/report.ts');
  const move = () => import('./commands/run/move.ts');
  addGroup(program, cli, ['run', 'start, follow and control runs'], RUN, {
    start,
    list,
    show,
    lanes,
    graph: lanes,
    findings: report,
    events: () => import('./commands/run/events.ts'),
    report,
    verify: () => import('./commands/run/verify.ts'),
    diff,
    apply,
    continue: follow,
    skip: move,
    reopen: move,
    progress: move,
    pause: move,
    move,
    resume: move,
    abort: move,
  });
  addCommand(program, cli, 'wait', WAIT, () => import('./commands/wait.ts'));
  addCommand(program, cli, 'cleanup', CLEANUP, () => import('./commands/cleanup.ts'));
  addGroup(
    program,
    cli,
    ['backtest', 'look at runs that are judged by measurements'],
    BACKTEST,
    () => import('./commands/backtest.ts'),
  );
  addGroup(
    program,
    cli,
    ['repository', 'the settings of a repository, and what you allow it'],
    REPOSITORY,
    () => import('./commands/repository.ts'),
  );
  addCommand(program, cli, 'review', REVIEW, () => import('./commands/review.ts'));
  const look = () => import('./commands/approval/look.ts');
  addGroup(program, cli, ['approval', 'look at gates and decide them'], APPROVAL, {
    list: look,
    show: look,
    diff: look,
    edit: () => import('./commands/approval/edit.ts'),
    approve: decide,
    reject: decide,
    'request-changes': requestChanges,
    abort: decide,
  });
  addGroup(program, cli, ['session', 'look at agents in their panes'], SESSION, {
    list: () => import('./commands/session/list.ts'),
    show: () => import('./commands/session/show.ts'),
    transcript: () => import('./commands/session/transcript.ts'),
    probe: () => import('./commands/session/probe.ts'),
  });
  const messages = () => import('./commands/message/look.ts');
  addGroup(program, cli, ['message', 'write to agents: devflow message <run> "..."'], MESSAGE, {
    send: () => import('./commands/message/send.ts'),
    list: messages,
    'take-back': messages,
    settle: messages,
  });
  addGroup(
    program,
    cli,
    ['schedule', 'start runs again and again, at times of your choice'],
    SCHEDULE,
    () => import('./commands/schedule.ts'),
  );
  addCommand(program, cli, 'why', WHY, () => import('./commands/why.ts'));
  addCommand(program, cli, 'attach', ATTACH, () => import('./commands/attach.ts'));
}

function addCatalog(program: Command, cli: Cli): void {
  const look = () => import('./commands/template/look.ts');
  const check = () => import('./commands/template/check.ts');
  const drafts = () => import('./commands/template/drafts.ts');
  addGroup(program, cli, ['template', 'list, show, check and begin workflow templates'], TEMPLATE, {
    list: look,
    show: look,
    draft: drafts,
    rehearse: () => import('./commands/template/rehearse.ts'),
    publish: drafts,
    validate: check,
    lint: check,
    diff: check,
    new: drafts,
  });
  addGroup(
    program,
    cli,
    ['persona', 'list, show, check and begin agent personas'],
    PERSONA,
    () => import('./commands/persona.ts'),
  );
  addGroup(
    program,
    cli,
    ['artifact', 'list and check artifacts, the files that agents write'],
    ARTIFACT,
    () => import('./commands/artifact.ts'),
  );
  addGroup(program, cli, ['policy', 'the policy for commands that devflow runs itself'], POLICY, {
    check: () => import('./commands/policy.ts'),
  });
}

function addContracts(program: Command, cli: Cli): void {
  addGroup(
    program,
    cli,
    ['contract', 'check files that programs and agents hand to each other'],
    CONTRACT,
    () => import('./commands/contract.ts'),
  );
  addGroup(
    program,
    cli,
    ['state', 'keep the state directory .devt/state in order'],
    STATE,
    () => import('./commands/state.ts'),
  );
  addGroup(
    program,
    cli,
    ['handover', 'check what one phase of a project hands to the next'],
    HANDOVER,
    () => import('./commands/handover.ts'),
  );
  addGroup(
    program,
    cli,
    ['autodev', 'follow the pointer to the current step of a flow'],
    AUTODEV,
    () => import('./commands/autodev.ts'),
  );
  addGroup(
    program,
    cli,
    ['cycle', 'keep the state of parallel development cycles'],
    CYCLE,
    () => import('./commands/cycle.ts'),
  );
}

/** It takes `--json` because every data command does. Its output is always JSON. */
const RPC = plainCommand('call an RPC method; params as JSON, - for standard input', {
  method: argument('<method>'),
  params: argument('[params]'),
  json: JSON_FLAG,
});

type Shell = 'bash' | 'zsh' | 'fish';

/** Commands for scripts and shells. */
function addScript(program: Command, cli: Cli): void {
  addCommand(program, cli, 'rpc', RPC, () => import('./commands/rpc.ts'));
  addCommand(program, cli, 'mcp', MCP, () => import('./commands/mcp.ts'));
  const completion = program
    .command('completion')
    .description('print a completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']));
  completion.action(async (shell: Shell) => {
    const { script } = await import('./commands/completion/script.ts');
    cli.io.out(script(shell));
    cli.exit(0);
  });
  const asked = program.command('__complete <shell> <words...>', { hidden: true });
  asked.action(async (shell: Shell, words: string[]) => {
    const { complete } = await import('./commands/completion/complete.ts');
    await complete(shell, words, program, cli.io);
    cli.exit(0);
  });
  const ending = program.command('__end-scratch <dir>', { hidden: true });
  ending.action(async (directory: string) => {
    const { endScratch } = await import('./commands/demo.ts');
    await endScratch(directory, cli.io);
    cli.exit(0);
  });
}
