import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { failureLine, normaliseFailure } from '../../../../daemon/measure/metrics/failure.ts';
import { mine } from '../../../../daemon/measure/metrics/mine.ts';
import { readMeasurement } from '../../../../daemon/measure/metrics/readMeasurement.ts';
import { readZip } from '../../../../daemon/measure/metrics/zip.ts';
import { Measurement } from '../../../../schemas/objective/measured.ts';
import { PARSERS, type ParserName } from '../../../../schemas/objective/objective.ts';

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-metrics-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

async function readIn(dir: string, parser: ParserName, ended = { ok: true, reason: 'exit 0' }): Promise<Measurement> {
  const output = { stdoutPath: join(dir, 'out'), stderrPath: join(dir, 'err'), ended };
  const measurement = await readMeasurement({ dir, ...output, source: { parser, file: 'result', names: {} } });
  expect(Measurement.parse(measurement)).toEqual(measurement);
  // Postgres stores neither NUL nor half characters.
  const text = JSON.stringify(measurement);
  expect(text.isWellFormed() && !text.includes('\\u0000')).toBe(true);
  return measurement;
}

describe.each(PARSERS)('%s', (parser) => {
  test('takes any bytes without an error', async () => {
    const dir = scratch();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        async (bytes) => {
          writeFileSync(join(dir, 'result'), bytes);
          await readIn(dir, parser);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('takes no link, no directory and nothing too large', async () => {
    const dir = scratch();
    writeFileSync(join(dir, 'secret'), '{"metrics": {"a": 1}}');
    symlinkSync(join(dir, 'secret'), join(dir, 'result'));
    expect(await readIn(dir, parser)).toMatchObject({ metrics: {}, fault: expect.stringContaining('cannot be read') });
    rmSync(join(dir, 'result'));
    mkdirSync(join(dir, 'result'));
    expect((await readIn(dir, parser)).fault).toContain('cannot be read');
    rmSync(join(dir, 'result'), { recursive: true });
    writeFileSync(join(dir, 'result'), Buffer.alloc(64 * 1024 * 1024 + 1, 0x20));
    expect((await readIn(dir, parser)).fault).toContain('cannot be read');
    rmSync(join(dir, 'result'));
    expect((await readIn(dir, parser)).fault).toContain('did not write it');
  });
});

test('keeps 200 metrics with short names, whatever a file has', async () => {
  const dir = scratch();
  const metrics = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`${'é'.repeat(200)}${at}`, at]));
  writeFileSync(join(dir, 'result'), JSON.stringify({ metrics: { 'a\u0000b\ud800': 1, ...metrics } }));
  const read = await readIn(dir, 'metrics');
  expect(Object.keys(read.metrics).length).toBeLessThanOrEqual(200);
  expect(Object.keys(read.metrics).every((name) => name.length <= 80)).toBe(true);
  writeFileSync(join(dir, 'result'), '{"metrics": {"__proto__": 1, "constructor": 2}}');
  expect((await readIn(dir, 'metrics')).metrics).toEqual({ constructor: 2 });
});

const MB = 1024 * 1024;

/** Each overflowed the stack of a regular expression, or took minutes. */
test.each<[string, ParserName, () => string, RegExp | null]>([
  ['a long text beside NaN', 'metrics', () => `{"metrics":{"a":NaN},"x":"${'x'.repeat(20 * MB)}"}`, null],
  ['escapes beside NaN', 'metrics', () => `{"metrics":{"a":NaN},"x":"${'\\"'.repeat(10 * MB)}"}`, null],
  ['a text that does not end', 'json', () => `{"a":NaN,"x":"${'x'.repeat(20 * MB)}`, /is not JSON/],
  ['a million levels', 'series', () => `{"a":${'['.repeat(MB)}`, /nested in more than/],
  ['millions of values', 'metrics', () => `{"metrics":{},"equity":[${'1,'.repeat(5 * MB)}1]}`, /values/],
  ['a long quoted field', 'csv', () => `a,b\n"${'x'.repeat(20 * MB)}",1\n`, /row of more than/],
  ['a quote that does not end', 'csv', () => `a,b\n1,2\n"${'""'.repeat(10 * MB)}`, /does not end/],
  ['empty lines', 'keyvalue', () => '\n'.repeat(20 * MB), null],
])('%s are bounded', async (_, parser, text, fault) => {
  const dir = scratch();
  writeFileSync(join(dir, 'result'), text());
  const read = await readIn(dir, parser);
  if (fault === null) expect(read.fault).toBeNull();
  else expect(read.fault).toMatch(fault);
});

test('a long line and a million trades are read', async () => {
  const dir = scratch();
  writeFileSync(join(dir, 'result'), `${'a'.repeat(16_000_000)}=1\nb=2\n`);
  expect((await readIn(dir, 'keyvalue')).metrics).toEqual({ b: 2 });
  const trades = Array.from({ length: 1_000_000 }, (_, at) => ({ profit: at % 3 === 0 ? -1 : 1, tag: `t${at}` }));
  const mined = mine(trades);
  expect(mined).toMatchObject({ trades: 1_000_000, losing: 333_334, clusters: [] });
});

test('a zip that unpacks to more than is allowed is refused', () => {
  const packed = deflateRawSync(Buffer.alloc(4_000_000));
  const name = Buffer.from('backtest-result-1.json');
  const local = Buffer.concat([
    Buffer.from('504b0304140000000800', 'hex'),
    Buffer.alloc(16),
    sizes(name.length),
    name,
    packed,
  ]);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(packed.length, 20);
  entry.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(local.length, 16);
  const zip = Buffer.concat([local, entry, name, end]);
  expect(readZip(zip, /backtest/, 5_000_000)?.length).toBe(4_000_000);
  expect(() => readZip(zip, /backtest/, 1_000_000)).toThrow('no zip that devflow can read');
  expect(() => readZip(zip.subarray(0, -10), /backtest/, 5_000_000)).toThrow('without its directory');
});

function sizes(name: number): Buffer {
  const both = Buffer.alloc(4);
  both.writeUInt16LE(name, 0);
  return both;
}

describe('a failure', () => {
  test('is the line that says what went wrong, without what differs', async () => {
    const dir = scratch();
    const stderr =
      'Traceback (most recent call last):\n  File "/tmp/a1/run.py", line 12, in <module>\n    x()\nValueError: no data in /tmp/run-83/prices.csv at 0x7f31aa after 12.5 s\n';
    writeFileSync(join(dir, 'err'), stderr);
    const read = await readIn(dir, 'metrics', { ok: false, reason: 'exit 1' });
    expect(read).toMatchObject({
      fault: 'the command failed: exit 1',
      failure: 'ValueError: no data in <path> at <hex> after <n> s',
    });
  });

  test.each([
    ['Error: ENOENT /a/b/c.csv\n    at open (node:fs:12)\n\nNode.js v22.1.0\n', 'Error: ENOENT /a/b/c.csv'],
    ['just text\n', 'just text'],
    ['', undefined],
  ])('of %j', (stderr, line) => {
    expect(failureLine(stderr)).toBe(line);
  });

  test('is the same for every run that fails in the same way', () => {
    const at = (n: number) =>
      normaliseFailure(`KeyError: row ${n} of run 2026-11-${10 + n}T10:00:0${n}Z in /tmp/x${n}/y`);
    expect(at(1)).toBe(at(2));
  });

  test.each([
    ['took 12.5s', 'took <n>s'],
    ['row 9999999 of 123456789', 'row <n> of <n>'],
    ['loss is -1.5e-07', 'loss is <n>'],
    ['run 3f9a0c1e-77aa-4b1c-9d2e-0a1b2c3d4e5f', 'run <hex>'],
    ['commit a1b2c3d4 of defaced', 'commit <hex> of defaced'],
    ['strategy.py:12:7', 'strategy.py:<n>'],
  ])('%s has nothing of one run', (line, normalised) => {
    expect(normaliseFailure(line)).toBe(normalised);
  });

  test('is found at the end of a long error output with colours, and in no link', async () => {
    const dir = scratch();
    const stderr = `${'warning: slow\n'.repeat(6 * MB)}\u001b[31mTypeError: no prices\u001b[0m\n`;
    writeFileSync(join(dir, 'err'), stderr);
    const ended = { ok: false, reason: 'exit 1' };
    expect(await readIn(dir, 'metrics', ended)).toMatchObject({ failure: 'TypeError: no prices' });
    rmSync(join(dir, 'err'));
    writeFileSync(join(dir, 'secret'), 'Error: secret\n');
    symlinkSync(join(dir, 'secret'), join(dir, 'err'));
    expect(await readIn(dir, 'metrics', ended)).toMatchObject({ failure: 'exit <n>' });
  });
});

describe('mining', () => {
  const trade = fc.record({
    profit: fc.double({ noNaN: true, min: -10, max: 10 }),
    exitReason: fc.constantFrom('stop', 'target', 'time'),
    tag: fc.constantFrom('a', 'b'),
  });

  test('does not depend on the order of trades, and its parts are parts', () => {
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 60 }), (trades) => {
        const mined = mine(trades);
        expect(mine([...trades].reverse())).toEqual(mined);
        expect(mined.losing).toBeLessThanOrEqual(mined.trades);
        for (const { count, support, lift } of mined.clusters) {
          expect(count).toBeLessThanOrEqual(mined.losing);
          expect(support > 0 && support <= 1 && lift > 0).toBe(true);
        }
      }),
    );
  });

  test('names what losing trades have in common, the costliest first', () => {
    const lose = (exitReason: string, profit: number) => ({
      exitReason,
      profit,
      openedAt: '2026-01-05T09:30:00Z',
      closedAt: '2026-01-05T12:00:00Z',
    });
    const { clusters } = mine([
      lose('stop', -2),
      lose('stop', -2),
      lose('time', -1),
      lose('time', 1),
      lose('target', 3),
    ]);
    expect(clusters.map(({ id, count, loss, support }) => [id, count, loss, support])).toEqual([
      ['holding=1 to 6 h', 3, 5, 1],
      ['hour=09', 3, 5, 1],
      ['exit_reason=stop', 2, 4, 0.666666667],
    ]);
    expect(clusters[2]).toMatchObject({ lift: 1.66666667 });
  });

  test('names a fall by its times where there are some', () => {
    const { drawdowns } = mine([], { values: [100, 80, 110], times: ['2026-01-01', '2026-01-02', '2026-01-03'] });
    expect(drawdowns).toEqual([{ from: '2026-01-01', to: '2026-01-03', depth: 0.2 }]);
  });

  test('takes a number for no time', () => {
    const trades = [-1, -1].map((profit) => ({ profit, openedAt: '5', closedAt: '9' }));
    expect(mine(trades).clusters).toEqual([]);
  });

  test('finds the deepest falls, each from its peak to its recovery', () => {
    expect(mine([], { values: [100, 80, 110, 99, 88, 120, 119], times: [] }).drawdowns).toEqual([
      { from: '0', to: '2', depth: 0.2 },
      { from: '2', to: '5', depth: 0.2 },
      { from: '5', to: '6', depth: 0.00833333333 },
    ]);
  });
});
