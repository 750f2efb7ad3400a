import { command } from './command.ts';
import { argument, flag, own, repeated, text } from './entry.ts';
import { RUN } from './run.ts';

const HELP = `
One agent gets a worktree of its own, and you lead it: by messages, and in its
pane. It ends when you say so, with devflow finish. With --template the run has
that workflow instead, as with devflow run start. If devflow is not up, this
starts it.

Examples:
  devflow start "Greet a person by name."
  devflow start --backend codex --attach
  devflow start --here "Fix the failing test."      # in your checkout
  devflow start --template quick-change@2 -m "Greet a person by name."`;

/** Without a template it is `direct@1`. */
export const START = command(
  'run.start',
  'start an agent that you lead, or with --template a workflow',
  {
    ...RUN.start.entries,
    text: own(argument('[text...]', 'what to do (default: the agent waits for your first message)')),
    template: text('<template>', 'a workflow: name, or name@version (default: one agent, which you lead)'),
    message: own(repeated('<text>', 'what to do; repeatable, one paragraph each', { short: 'm' })),
    backend: own(repeated('<backend>', 'its program, or with --template <role=backend>; repeatable')),
    here: flag('work in your checkout, after a question, and not in a worktree; one run at a time'),
    attach: own(flag('go to its pane once it is there')),
  },
  { help: HELP },
);

export const FINISH = command(
  'run.finish',
  'say that the work of your agent is finished: commit, checks, decision',
  {
    run: own(argument('[run]', 'default: the only run of this repository whose agent you lead')),
    now: flag('also if the agent is in a turn, or has messages left'),
  },
  {
    help: `
devflow commits the work, runs the checks of the repository, and asks for your
decision. On a terminal it waits for that, shows the page of the gate, and asks
what to do with the work.`,
  },
);
