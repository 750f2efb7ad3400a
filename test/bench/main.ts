import { parseArgs } from 'node:util';
import { append } from './append.ts';
import { burst } from './burst.ts';
import { cli } from './cli.ts';
import { contracts } from './contracts.ts';
import { death } from './death.ts';
import { delivery } from './delivery.ts';
import { driver } from './driver.ts';
import { ended } from './ended.ts';
import { listenForSignals } from './endings.ts';
import { engines } from './engines.ts';
import type { Bench } from './figure.ts';
import { find } from './find.ts';
import { idle } from './idle.ts';
import { kept } from './kept.ts';
import { lab } from './lab.ts';
import { landing } from './landing.ts';
import { look } from './look.ts';
import { describeMachine } from './machine.ts';
import { memory } from './memory.ts';
import { output } from './output.ts';
import { overlap } from './overlap.ts';
import { panes } from './panes.ts';
import { parallel } from './parallel.ts';
import { phases } from './phases.ts';
import { printing } from './printing.ts';
import { rehearse } from './rehearse.ts';
import { asData, asTable, type Row, writeDocument } from './report.ts';
import { review } from './review.ts';
import { rpc } from './rpc.ts';
import { sandbox } from './sandbox.ts';
import { sheet } from './sheet.ts';
import { start } from './start.ts';
import { subscribe } from './subscribe.ts';
import { tasks } from './tasks.ts';
import { transcript } from './transcript.ts';
import { tui } from './tui.ts';
import { turns } from './turns.ts';
import { up } from './up.ts';

const BENCHES: readonly Bench[] = [
  append,
  driver,
  rpc,
  subscribe,
  cli,
  contracts,
  phases,
  tasks,
  landing,
  parallel,
  overlap,
  review,
  rehearse,
  lab,
  look,
  sheet,
  find,
  up,
  engines,
  idle,
  memory,
  kept,
  ended,
  panes,
  printing,
  output,
  delivery,
  turns,
  sandbox,
  death,
  burst,
  transcript,
  tui,
  start,
];

/**
 * `npm run bench -- [row …] [--rounds N] [--json] [--write]`: measures all rows, or the named ones, one after the
 * other. A missed target is printed, and the exit code stays 0.
 */
async function main(): Promise<void> {
  listenForSignals();
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rounds: { type: 'string' }, json: { type: 'boolean' }, write: { type: 'boolean' } },
  });
  const unknown = positionals.filter((name) => !BENCHES.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    console.error(`bench: no row ${unknown.join(', ')}; there are ${BENCHES.map(({ name }) => name).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  if (values.write && positionals.length > 0) {
    console.error('bench: --write needs all rows, so that the document is of one measurement.');
    process.exitCode = 2;
    return;
  }
  const wanted = BENCHES.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  const machine = describeMachine();
  const rows: Row[] = [];
  for (const bench of wanted) {
    const row = { bench, figures: await bench.run({ rounds }) };
    rows.push(row);
    if (!values.json) console.log(asTable(row));
  }
  if (values.json) console.log(JSON.stringify(asData(rows, machine), null, 2));
  if (values.write) writeDocument(rows, machine);
}

await main();
