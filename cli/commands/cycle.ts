import { resolve } from 'node:path';
import { notAnObject } from '../../schemas/contracts/document/jsonKind.ts';
import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { usage, wholeNumber } from '../input/parse.ts';
import { parseJson, readJson } from '../input/readInput.ts';
import type { Action, Io } from '../io/io.ts';
import { printCycle } from '../print/cycle.ts';
import { printFacts, printJson } from '../print/output.ts';
import { printReport } from '../print/report.ts';
import { visible } from '../print/text.ts';

interface Options {
  repo?: string;
  json?: boolean;
  task?: string;
  description?: string;
  maxIterations?: string;
  id?: string;
  soft?: boolean;
  reason?: string;
  event?: string;
  apply?: boolean;
  force?: boolean;
}

/** `devflow cycle …`. */
export const action: Action = async ([id]: [string], options: Options, io, name) => {
  const { json, task = '', reason = '' } = options;
  const place = { repo: resolve(io.cwd, options.repo ?? '.'), id };
  switch (name) {
    case 'new': {
      const { description, id: wanted } = options;
      const params = { repo: place.repo, task, description, maxIterations: limitOf(options), id: wanted };
      return printCycle(io, await callDaemonOrOneshot(io, 'cycle.new', params), json);
    }
    case 'list': {
      const ids = await callDaemonOrOneshot(io, 'cycle.list', { repo: place.repo });
      if (json) printJson(io, ids);
      else io.out(ids.length === 0 ? 'no cycles\n' : ids.map((each) => `${visible(each)}\n`).join(''));
      return 0;
    }
    case 'validate': {
      const mode = options.soft ? ('soft' as const) : undefined;
      return printReport(io, await callDaemonOrOneshot(io, 'cycle.validate', { ...place, mode }), json);
    }
    case 'control':
      return printSignal(io, await callDaemonOrOneshot(io, 'cycle.control', place), json);
    case 'extend': {
      const params = { ...place, task, maxIterations: limitOf(options) };
      return printCycle(io, await callDaemonOrOneshot(io, 'cycle.extend', params), json);
    }
    case 'fail':
      return printCycle(io, await callDaemonOrOneshot(io, 'cycle.fail', { ...place, reason }), json);
    case 'apply': {
      const applied = await callDaemonOrOneshot(io, 'cycle.apply', { ...place, event: await eventOf(io, options) });
      if (json) printJson(io, applied);
      else {
        printCycle(io, applied.state);
        for (const file of applied.files) io.out(`wrote ${visible(file)}\n`);
      }
      return 0;
    }
    case 'rebuild': {
      const { apply, force } = options;
      const report = await callDaemonOrOneshot(io, 'cycle.rebuild', { ...place, apply, force });
      const code = printReport(io, report, json);
      if (!json) io.out(`${rebuiltLine(report.parsed as Rebuilt, report.valid)}\n`);
      return code;
    }
    case 'sync':
      return printReport(io, await callDaemonOrOneshot(io, 'cycle.sync', { ...place, apply: options.apply }), json);
    default: {
      const method = `cycle.${name as 'show' | 'pause' | 'resume' | 'complete'}` as const;
      return printCycle(io, await callDaemonOrOneshot(io, method, place), json);
    }
  }
};

function limitOf({ maxIterations }: Options): number | undefined {
  return maxIterations === undefined ? undefined : wholeNumber('--max-iterations', maxIterations);
}

async function eventOf(io: Io, { event = '' }: Options): Promise<Record<string, unknown>> {
  const value = event === '-' ? await readJson(io, event, 'the event') : parseJson(event, '--event');
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw usage(`the event is ${notAnObject(value)}`);
}

interface Signal {
  cycleId: string;
  status: string | null;
  continue: boolean;
  action: string;
}

function printSignal(io: Io, signal: Signal, json?: boolean): number {
  if (json) printJson(io, signal);
  else {
    printFacts(io, [
      ['cycle', signal.cycleId],
      ['status', signal.status],
      ['continue', signal.continue ? 'yes' : 'no'],
      ['action', signal.action],
    ]);
  }
  return signal.continue ? 0 : 1;
}

interface Rebuilt {
  intact: boolean;
  written: boolean;
  savedAs: string | null;
}

function rebuiltLine({ intact, written, savedAs }: Rebuilt, isValid: boolean): string {
  if (!isValid) return 'Nothing is written, because a document cannot be read.';
  if (written) return `The state is written, and paused.${savedAs ? ` The old one is in ${visible(savedAs)}.` : ''}`;
  const how = intact ? '--apply --force' : '--apply';
  return `Nothing is written.${intact ? ' The state can be read as it is.' : ''} To write what was found, give ${how}.`;
}
