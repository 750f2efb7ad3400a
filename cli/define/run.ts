import { resolve } from 'node:path';
import { SANDBOX_WORDS } from '../../schemas/names.ts';
import { RUN_STATES } from '../../schemas/states/run.ts';
import { parseArgv } from '../client/parseArgv.ts';
import { parseAge, parseBackends, waitLimit, wholeNumber } from '../input/parse.ts';
import { type Action, type Actions, command } from './command.ts';
import {
  argument,
  flag,
  GRAPH,
  negated,
  number,
  oneOf,
  own,
  pairs,
  parsed,
  repeated,
  required,
  text,
  YES,
} from './entry.ts';
import { listEntries } from './lists.ts';

export const SARIF = 'print SARIF 2.1.0, for code scanning tools';

/** The choice of personas and backends for the roles of a run. */
export const ROLES = {
  bind: pairs('<role=persona>', 'persona for a role; repeatable'),
  backend: parsedBackends(),
};

function parsedBackends() {
  const about = 'backend for a role; repeatable (default: as in the last run here)';
  return { ...repeated('<role=backend>', about), read: parseBackends };
}

/** `--verify`, repeatable: the words of each command. */
export function verify(about: string) {
  return parsed(repeated('<command>', about), (name, given) => given.map((each) => parseArgv(name, each)));
}

const run = argument('<run>');
/** Without it, the command takes the only run that fits. */
const anyRun = own(argument('[run]', 'default: the only open run of this repository, else the only ended one'));

const start = command('run.start', 'start a run', {
  template: text('<template>', 'name, or name@version (default: as the settings of the repository say)'),
  draft: own(
    flag(
      'start the draft of that name, or a template file, with the drafts of its schemas and of personas that --bind names',
    ),
  ),
  message: own(
    repeated('<text>', 'the requirements; repeatable, one paragraph each (default: your editor)', { short: 'm' }),
  ),
  requirements: own(text('<file>', 'text file with the requirements; - for standard input')),
  each: own(
    text('<file>', 'one run for each "- [ ]" line of this file, or for each "##" section; - for standard input', {
      conflicts: ['message', 'requirements', 'title', 'wait', 'draft'],
    }),
  ),
  again: own(flag('with --each: new runs also for items that have one')),
  yes: YES,
  title: text(
    '<text>',
    'what lists call the run (default: the first line of the requirements, or what its agents call it)',
  ),
  repo: own(text('<dir>', 'directory in a git repository with a checkout (default: the current one)')),
  base: text('<branch>', 'branch to start from (default: as the settings say, else the one checked out)'),
  objective: own(text('<file>', 'JSON file with an object, for a template that takes an objective')),
  extra: own(text('<file>', 'JSON file with commands: {"<command phase>": [["npm","test"], …]}')),
  verify: own(verify('command for the verify phase: words, or a JSON list; repeatable')),
  ...ROLES,
  allowSetup: flag('allow what the settings of the repository run, in this run alone'),
  // Only an option that is given reaches a daemon, which may be older.
  settings: parsed(negated('without the settings of the repository, and without guesses'), (_, is) => is && undefined),
  host: text('<host>', 'the host that gets the run; --repo is a directory there (default: this one)'),
  sandbox: oneOf(
    text(
      '<level>',
      'agents: the programs of agents run in a sandbox; all: commands, too (default: as the settings say)',
    ),
    SANDBOX_WORDS,
  ),
  after: text('<run>', 'begin only once this run is completed or applied, from the base branch as it is then'),
  parallel: flag('start even if a run of this repository and base branch is open'),
  wait: own(flag('wait until the run ends; Ctrl-C leaves it running')),
  timeout: own(
    parsed(text('<duration>', 'with --wait: exit with 6 after this time, such as 30m; the run goes on'), waitLimit),
  ),
  dryRun: flag('show what would start, and start nothing'),
});

const CONTINUE_HELP = `
At the gate of the finished work, this approves the work. While the agent works,
it finishes the work. A second template can follow once.`;

const reason = text('<text>', 'reason, for the event log');

export const RUN = {
  start,
  list: command('run.list', 'list open runs and the latest ended ones, newest first', {
    ...listEntries(RUN_STATES, {
      of: 'runs',
      all: own(flag('all runs, without a limit')),
      always: 'all that are open',
    }),
  }),
  show: command('run.get', 'show a run, or a gate by its id', { run: anyRun }),
  lanes: command('run.lanes', 'show the parallel work of a run', { runId: run }),
  graph: command('run.lanes', 'show the tasks of a run in their order', { runId: run, ...GRAPH }),
  findings: command('run.findings', 'list what the reviewers of a run found', { runId: run, sarif: own(flag(SARIF)) }),
  events: command('run.events', 'print the event log of a run', {
    runId: run,
    follow: own(flag('print new events until the run ends')),
    afterSeq: number('<seq>', 'only events after this number', { long: 'after' }),
  }),
  report: command('run.report', 'print the report of a run', { runId: run }),
  verify: command('run.verify', 'check that replaying the events of a run gives its stored rows', { runId: run }),
  diff: command('run.diff', "show what a run's branch changes against its base commit", {
    run: anyRun,
    stat: own(flag('only how many lines of each file change')),
    nameOnly: own(flag('only the names of the files')),
    pager: own(negated('do not use a pager')),
  }),
  apply: command('run.apply', "bring an ended run's work into the branch that is checked out", {
    run: own(argument('[run]', 'default: the only ended run of this repository')),
    merge: own(flag('with a merge commit (default: fast-forward if possible, else a merge commit)')),
    squash: own(flag('as one commit')),
    branch: text('<name>', 'create a new branch with the work; no checkout changes'),
    repo: parsed(
      text('<dir>', "another worktree of the run's repository (default: where the run was started)"),
      (_, given, { cwd }) => resolve(cwd, given),
    ),
    head: text('<commit>', 'accept the branch at this commit, also if it moved after the approval'),
    at: text('<commit>', 'apply this approved commit, wherever the branch is now'),
    yes: YES,
    print: own(flag('print the git and gh commands, and change nothing')),
  }),
  continue: command(
    'run.continue',
    'let a template follow in a run that you lead: in its worktree, and with its agent',
    {
      run: anyRun,
      template: required(text('<template>', 'name, or name@version')),
      message: own(repeated('<text>', 'what follows is for this, too; repeatable, one paragraph each', { short: 'm' })),
      requirements: own(text('<file>', 'the same from a text file; - for standard input')),
      extra: own(text('<file>', 'JSON file with commands: {"<command phase>": [["npm","test"], …]}')),
      verify: own(verify('command for the verify phase (default: the checks of the work so far); repeatable')),
      bind: pairs('<role=persona>', 'persona for a role without an agent; repeatable'),
      backend: {
        ...repeated('<role=backend>', 'backend for a role without an agent; repeatable'),
        read: parseBackends,
      },
      now: flag('also if the agent is in a turn, or has messages left'),
      dryRun: flag('show what would follow, and change nothing'),
    },
    { help: CONTINUE_HELP },
  ),
  skip: command('run.skip', 'skip an optional phase before it begins', {
    runId: run,
    phase: argument('<phase>'),
    reason: required(text('<text>', 'why nothing is to be done there')),
  }),
  reopen: command('run.reopen', 'take an abandoned lane up again', {
    runId: run,
    lane: argument('<lane>'),
    comment: text('<text>', 'what its agent should know'),
  }),
  progress: command('run.progress', 'say how far the running phase is', {
    runId: run,
    number: parsed(argument('<number>'), wholeNumber),
    name: argument('<name>'),
    detail: argument('[detail]'),
  }),
  pause: command('run.pause', 'pause a run; its gates stay as they are', { runId: run, reason }),
  move: command('run.move', 'move a queued run among those that wait for a place', {
    runId: run,
    first: own(flag('it begins next')),
    last: own(flag('it begins after all that are queued now')),
    before: text('<run>', 'just before this queued run'),
    after: text('<run>', 'just after this queued run'),
    release: flag('it waits no more for the run that start --after named'),
  }),
  resume: command('run.resume', 'resume a paused run', { runId: run, reason }),
  abort: command('run.abort', 'abort a run; worktrees and branches stay', { runId: run, reason, yes: YES }),
};
export type Run = Actions<typeof RUN>;

const WAIT_HELP = `
Exit codes: 0 the run completed, 1 it failed or was aborted, 6 --timeout is
over, 7 a person is needed: at a gate, in the pane of an agent, or to resume.
A run that has ended or needs a person already ends the wait at once.`;

export const WAIT = command(
  'run.get',
  'wait until a run has ended or needs a person',
  {
    run: anyRun,
    any: own(flag('instead of one run: until any open run, of any repository, has ended or needs a person')),
    timeout: own(parsed(text('<duration>', 'exit with 6 after this time, such as 30m; runs go on'), waitLimit)),
  },
  { help: WAIT_HELP },
);
export type Wait = Action<typeof WAIT>;

export const CLEANUP = command('run.cleanup', 'remove the worktrees of an ended run, or what all ended runs left', {
  run: own(argument('[run]')),
  lane: text('<lane>', 'only this lane (default: all lanes)'),
  force: flag('also remove uncommitted work, after you approve a gate'),
  ended: own(flag('instead of one run: of all ended runs, as far as no work is lost')),
  olderThan: own(parsed(text('<age>', 'with --ended: only runs that ended so long ago, such as 7d'), parseAge)),
  applied: own(flag('with --ended: only runs whose work is on a branch of yours')),
  branches: own(flag('with --ended: also delete branches whose commits are all on a branch of yours')),
  repo: own(parsed(text('<dir>', 'with --ended: only runs of this repository'), resolvedPath)),
  host: own(text('<host>', 'with --ended: the host whose disk is meant (default: this one)')),
  dryRun: own(flag('with --ended: show what would go, and remove nothing')),
  yes: YES,
});
export type Cleanup = Action<typeof CLEANUP>;

function resolvedPath(_name: string, given: string, { cwd }: { cwd: string }): string {
  return resolve(cwd, given);
}
