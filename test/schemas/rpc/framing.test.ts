import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameDecoder, encodeFrame } from '../../../schemas/rpc/framing.ts';

function decode(chunks: Buffer[], maxBytes?: number): string[] {
  const frames: string[] = [];
  const decoder = createFrameDecoder(maxBytes);
  for (const chunk of chunks) decoder.push(chunk, (frame) => frames.push(frame));
  return frames;
}

describe('frames', () => {
  const messages = [{ a: 'ü€😀\n' }, [], 'x', { long: 'y'.repeat(50) }];
  const bytes = Buffer.from(messages.map(encodeFrame).join(''));

  it('come out the same, wherever the stream is split', () => {
    for (let at = 0; at <= bytes.length; at += 1) {
      const frames = decode([bytes.subarray(0, at), bytes.subarray(at)]);
      expect(frames.map((frame) => JSON.parse(frame))).toEqual(messages);
    }
  });

  it('come out the same, however many pieces arrive', () => {
    const values = fc.array(fc.jsonValue(), { maxLength: 8 });
    fc.assert(
      fc.property(values, fc.array(fc.nat(40), { minLength: 1 }), (sent, sizes) => {
        const stream = Buffer.from(sent.map(encodeFrame).join(''));
        const chunks: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = (sizes[turn % sizes.length] ?? 0) + 1;
          chunks.push(stream.subarray(at, at + size));
          at += size;
        }
        expect(decode(chunks)).toEqual(sent.map((value) => JSON.stringify(value)));
      }),
    );
  });

  it('may end in CRLF and have empty lines between', () => {
    expect(decode([Buffer.from('\n{}\r\n\r\n\n[]\n')]).map((frame) => JSON.parse(frame))).toEqual([{}, []]);
  });

  it('wait for their newline', () => {
    expect(decode([Buffer.from('{}')])).toEqual([]);
  });
});

describe('the limit', () => {
  it('accepts a frame of exactly the limit and refuses one byte more, in one piece or many', () => {
    expect(decode([Buffer.from('12345\n')], 5)).toEqual(['12345']);
    expect(decode([Buffer.from('123'), Buffer.from('45'), Buffer.from('\n')], 5)).toEqual(['12345']);
    expect(() => decode([Buffer.from('123456\n')], 5)).toThrow(expect.objectContaining({ code: 'frame_too_large' }));
    expect(() => decode([Buffer.from('123'), Buffer.from('456')], 5)).toThrow(/limit of 5 bytes/);
  });

  it('returns the frames before a refused one, then refuses everything', () => {
    const frames: string[] = [];
    const decoder = createFrameDecoder(5);
    const push = (text: string) => decoder.push(Buffer.from(text), (frame) => frames.push(frame));
    expect(() => push('1\n22\n333333\n4\n')).toThrow();
    expect(() => push('5\n')).toThrow();
    expect(frames).toEqual(['1', '22']);
  });

  it('never holds more than it', () => {
    const decoder = createFrameDecoder(1000);
    const chunk = Buffer.alloc(64, 'x');
    expect(() => {
      for (;;) {
        decoder.push(chunk, () => {});
        expect(decoder.buffered()).toBeLessThanOrEqual(1000);
      }
    }).toThrow(/larger than the limit/);
    expect(decoder.buffered()).toBe(0);
  });
});
