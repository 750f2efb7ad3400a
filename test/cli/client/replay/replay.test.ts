import { expect, test } from 'vitest';
import { openReplay } from '../../../../cli/client/replay/replay.ts';
import { type Chunk, rawView, readableView } from '../../../../cli/print/run/transcriptView.ts';
import { fakeIo } from '../../fakeIo.ts';

const ESC = '\u001b';

async function played(text: string | Buffer, { color = false, columns = 20, rows = 4 } = {}) {
  const replay = await openReplay({ color });
  replay.resize(columns, rows);
  const lines = await replay.write(Buffer.from(text));
  return { replay, lines };
}

test('drops overwritten text, and joins wrapped rows', async () => {
  const { replay, lines } = await played(`busy 1\rbusy 2\r${ESC}[Kdone\r\n${'word '.repeat(7)}\r\na\r\nb\r\nc\r\nd`);
  expect(lines).toEqual(['done', 'word word word word word word word']);
  expect(replay.screen()).toEqual(['a', 'b', 'c', 'd']);
  expect(replay.end()).toEqual(['a', 'b', 'c', 'd']);
});

test('shows each line once, for any amount of output and any cuts', async () => {
  const all = Array.from({ length: 50_000 }, (_, n) => `${n}`);
  const bytes = Buffer.from(all.map((line) => `${line}\r\n`).join(''));
  for (const size of [bytes.length, 7919]) {
    const replay = await openReplay({ color: false });
    const lines: string[] = [];
    for (let at = 0; at < bytes.length; at += size) lines.push(...(await replay.write(bytes.subarray(at, at + size))));
    expect([...lines, ...replay.end()]).toEqual(all);
  }
});

test('shows a line once and whole that scrolls off before it ends', async () => {
  const { replay, lines } = await played('x'.repeat(100));
  expect(lines).toEqual([]);
  expect([...(await replay.write(Buffer.from('\r\n1\r\n2\r\n3\r\n4'))), ...replay.end()]).toEqual([
    'x'.repeat(100),
    '1',
    '2',
    '3',
    '4',
  ]);
});

test('keeps the last screen of a full-screen program', async () => {
  const { replay } = await played(`before\r\n${ESC}[?1049h${ESC}[2J${ESC}[H one`);
  await replay.write(Buffer.from(`${ESC}[2J${ESC}[Hmenu\r\n> two`));
  expect(replay.screen()).toEqual(['menu', '> two']);
  expect(await replay.write(Buffer.from(`${ESC}[?1049lafter\r\n1\r\n2\r\n3`))).toEqual(['menu', '> two', 'before']);
  expect(replay.end()).toEqual(['after', '1', '2', '3']);
});

test('keeps colours if wanted, and no other escape sequence', async () => {
  const text = `${ESC}[1;31mred${ESC}[0m ${ESC}[48;2;1;2;3mx${ESC}[m ${ESC}[38;5;200;7;4my${ESC}[m ${ESC}]0;title\x07${ESC}[5nend\r\n`;
  const { replay } = await played(text, { color: true });
  expect(replay.end()).toEqual([
    `${ESC}[0;1;31mred${ESC}[m ${ESC}[0;48;2;1;2;3mx${ESC}[m ${ESC}[0;4;7;38;5;200my${ESC}[m end`,
  ]);
  expect((await played(text)).replay.end()).toEqual(['red x y end']);
});

test('handles wide and broken characters, and cuts rows at the edge', async () => {
  const { replay } = await played(
    Buffer.concat([Buffer.from('日本語 é'), Buffer.from([0xff, 0xc3]), Buffer.from('\x00ok')]),
  );
  expect(replay.screen()[0]).toMatch(/^日本語 é.*ok$/);
  expect((await played('日本語', { color: true })).replay.screen(5)).toEqual(['日本']);
});

const chunk = (seq: number, content: string, more: Partial<Chunk> = {}): Chunk => ({
  seq,
  kind: 'output',
  content,
  endOffset: seq,
  capturedAt: '',
  ...more,
});

test('readable: lines, then the screen; sizes and gaps in their place', async () => {
  const io = fakeIo();
  const view = readableView(io, { live: false });
  await view.show([chunk(1, '10x2', { kind: 'resize' })]);
  await view.show([chunk(2, 'one\r\ntwo\r\nthree')]);
  expect(io.written.out).toBe('one\n');
  await view.show([chunk(3, '4 bytes', { kind: 'gap' })]);
  await view.show([chunk(4, '', { base64: Buffer.from('\r\nfour').toString('base64') })]);
  await view.end();
  expect(io.written.out).toBe('one\n[output missing: 4 bytes]\ntwo\nthree\nfour\n');
});

test('readable: prints text without a terminal unchanged', async () => {
  const io = fakeIo();
  const view = readableView(io, { live: false });
  await view.show([chunk(1, `[fake] one\n${ESC}[31mtwo\n`, { endOffset: null })]);
  await view.end();
  expect(io.written.out).toBe('[fake] one\n␛[31mtwo\n');
});

test('live: shows the screen below the lines, and repaints it', async () => {
  const io = fakeIo({ columns: 5, rows: 3 });
  const view = readableView(io, { live: true });
  await view.show([chunk(1, '10x3', { kind: 'resize' })]);
  await view.show([chunk(2, 'one\r\ntwo\r\nlonger')]);
  expect(io.written.out).toBe('two\nlonge\n');
  await view.show([chunk(3, '\r\nfour')]);
  expect(io.written.out.slice('two\nlonge\n'.length)).toBe(`${ESC}[2A\r${ESC}[Jone\nlonge\nfour\n`);
  await view.end();
  expect(io.written.out.endsWith(`${ESC}[2A\r${ESC}[Jtwo\nlonger\nfour\n`)).toBe(true);
});

test('raw: prints the bytes unchanged', async () => {
  const parts: Uint8Array[] = [];
  const view = rawView({ out: (part) => void parts.push(Buffer.from(part)) });
  const bytes = Buffer.from([0xff, 0, 0x1b, 0x41]);
  await view.show([chunk(1, '80x24', { kind: 'resize' })]);
  await view.show([chunk(2, '\ufffd', { base64: bytes.toString('base64') })]);
  await view.show([chunk(3, 'é')]);
  expect(Buffer.concat(parts)).toEqual(Buffer.concat([bytes, Buffer.from('é')]));
});

test('shows many simple lines as a terminal would, whatever the screen showed before', async () => {
  const lines = Array.from({ length: 900 }, (_, n) => `${n} ${'─'.repeat(n % 9)} ok  `);
  const simple = lines.map((line, n) => `${line.replace('ok', n % 7 ? 'ok' : `${ESC}[32mok${ESC}[0m`)}\r\n`).join('');
  const before = [
    '',
    'half a line',
    'one\r\ntwo\r\n',
    `${ESC}[2;3r${ESC}[2;1Hin a region\r\n`,
    `${ESC}[31m`,
    `${ESC}(0abc\r\n`,
  ];
  for (const start of before) {
    for (const color of [false, true]) {
      const whole = Buffer.from(`${start}${simple}tail ${ESC}[1Aup\r\n${simple}end`);
      expect(await tellIn(whole, whole.length, color), JSON.stringify(start)).toEqual(
        await tellIn(whole, 5_000, color),
      );
    }
  }
});

/** All that is told of the bytes, given so many at a time; few of them are never taken for simple lines. */
async function tellIn(bytes: Buffer, size: number, color: boolean): Promise<string[]> {
  const replay = await openReplay({ color });
  replay.resize(80, 6);
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += size) lines.push(...(await replay.write(bytes.subarray(at, at + size))));
  return [...lines, ...replay.end()];
}

test.each([1, 2, 3, 4, 5, 6])('shows coloured lines as a terminal would, with seed %i', async (seed) => {
  let state = seed * 7919;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  const pick = <T>(items: readonly T[]) => items[random(items.length)] as T;
  const codes = [
    '',
    '0',
    '1',
    '2',
    '3',
    '4',
    '7',
    '9',
    '22',
    '23',
    '24',
    '27',
    '29',
    '31',
    '36',
    '39',
    '49',
    '90',
    '97',
    '5;8',
    '38;5;3',
    '38;5;208',
    '38;2;1;2;3',
    '48;5;9;49',
    '1;;31',
    '0;1;38;5;12',
    '41;49',
    '107;2;49',
    '53',
    '28',
  ];
  const rare = [
    '41',
    '48;2;9;9;9',
    '38;5',
    '38;5;300',
    '21',
    '58;5;3',
    '4:3',
    '?25',
    '1;2;3;4;5;6;7;8;9;0;1;2;3;4;5;6;7',
  ];
  const moves = [
    '[1A',
    '[2K',
    '[H',
    '[10;3r',
    '[r',
    '[2J',
    '[?1049h',
    '[?1049l',
    '7',
    '8',
    '[5@',
    'M',
    ']0;x\u0007',
    '[!p',
  ];
  const line = () => {
    let text = '';
    for (let parts = random(6); parts > 0; parts -= 1) {
      text += pick(['word ', '  ', 'ok', '─ ✓', '日本', '', 'x'.repeat(random(30))]);
      if (random(3) === 0) text += `${ESC}[${pick(codes)}m`;
      if (random(700) === 0) text += `${ESC}[${pick(rare)}m`;
    }
    if (random(3) > 0) text += `${ESC}[${pick(['m', '0m', '39m', '22;39;49m'])}`;
    return random(2500) === 0 ? `${text}${ESC}${pick(moves)}` : `${text}\r\n`;
  };
  const bytes = Buffer.from(`${Array.from({ length: 4_000 }, line).join('')}end`);
  for (const color of [true, false]) {
    expect(await tellIn(bytes, bytes.length, color)).toEqual(await tellIn(bytes, 5_000, color));
  }
});
