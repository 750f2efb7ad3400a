import { Command } from 'commander';
import { defineApproval } from './define/approval.ts';
import { defineAutodev } from './define/autodev.ts';
import { defineBacktest } from './define/backtest.ts';
import { defineCatalog } from './define/catalog.ts';
import { defineContract } from './define/contract.ts';
import { defineCycle } from './define/cycle.ts';
import { defineDaemon } from './define/daemon.ts';
import { defineHandover } from './define/handover.ts';
import type { Cli } from './define/leaf.ts';
import { defineReview } from './define/review.ts';
import { defineRun } from './define/run.ts';
import { defineScript } from './define/script.ts';
import { defineService } from './define/service.ts';
import { defineSession } from './define/session.ts';
import { defineState } from './define/state.ts';

/** The same on every terminal, so that the build can write the help texts once (see `build/build.ts`). */
const HELP_WIDTH = 80;

/** The whole command line: names, options and summaries. The actions are in `cli/commands`. */
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
  defineDaemon(program, cli);
  defineService(program, cli);
  defineRun(program, cli);
  defineBacktest(program, cli);
  defineReview(program, cli);
  defineApproval(program, cli);
  defineSession(program, cli);
  defineCatalog(program, cli);
  defineContract(program, cli);
  defineState(program, cli);
  defineHandover(program, cli);
  defineAutodev(program, cli);
  defineCycle(program, cli);
  defineScript(program, cli);
  return program;
}
