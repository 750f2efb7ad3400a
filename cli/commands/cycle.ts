import { notAnObject } from '../../schemas/contracts/document/json.ts';
import { answers, callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Cycle } from '../define/cycle.ts';
import { usage } from '../input/parse.ts';
import { parseJson, readJson } from '../input/readInput.ts';
import type { Io } from '../io/io.ts';
import { printCycle } from '../print/contract/cycle.ts';
import { printReport } from '../print/contract/report.ts';
import { printFacts, printJson } from '../print/output.ts';
import { visible } from '../print/text.ts';

/** `devflow cycle …`. */
export const actions: Cycle = {
  new: answers('cycle.new', printCycle),
  list: answers('cycle.list', (io, ids, json) => {
    if (json) printJson(io, ids);
    else io.out(ids.length === 0 ? 'no cycles\n' : ids.map((each) => `${visible(each)}\n`).join(''));
    return 0;
  }),
  show: answers('cycle.show', printCycle),
  validate: answers('cycle.validate', printReport),
  control: answers('cycle.control', printSignal),
  pause: answers('cycle.pause', printCycle),
  resume: answers('cycle.resume', printCycle),
  fail: answers('cycle.fail', printCycle),
  complete: answers('cycle.complete', printCycle),
  extend: answers('cycle.extend', printCycle),
  async apply(params, own, io) {
    const event = await eventOf(io, own.event);
    const applied = await callDaemonOrOneshot(io, 'cycle.apply', { ...params, event });
    if (own.json) printJson(io, applied);
    else {
      printCycle(io, applied.state);
      for (const file of applied.files) io.out(`wrote ${visible(file)}\n`);
    }
    return 0;
  },
  rebuild: answers('cycle.rebuild', (io, report, json) => {
    const code = printReport(io, report, json);
    if (!json) io.out(`${rebuiltLine(report.parsed as Rebuilt, report.valid)}\n`);
    return code;
  }),
  sync: answers('cycle.sync', printReport),
};

async function eventOf(io: Io, event: string): Promise<Record<string, unknown>> {
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
