import { describe, expect, it } from 'vitest';
import { MESSAGE } from '../../../cli/define/message.ts';
import { givenTo } from '../givenTo.ts';

describe('devflow message', () => {
  it('takes words of any number, and a token of its own', async () => {
    const { params, own } = await givenTo(MESSAGE.send, '3f9a/coder', 'Use', 'tabs.');
    expect(own).toEqual({ words: ['3f9a/coder', 'Use', 'tabs.'] });
    expect(params).toEqual({ clientToken: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  });

  it('takes paragraphs and a run', async () => {
    const { params, own } = await givenTo(MESSAGE.send, '--run', '3f9a', '--role', 'coder', '-m', 'One.', '-m', 'Two.');
    expect(params).toMatchObject({ runId: '3f9a', role: 'coder' });
    expect(own).toMatchObject({ message: ['One.', 'Two.'] });
  });

  it('lists by the word of a state or its value', async () => {
    expect((await givenTo(MESSAGE.list, '--state', 'taken back')).params).toMatchObject({ state: 'withdrawn' });
    expect((await givenTo(MESSAGE.list, '--state', 'queued')).params).toMatchObject({ state: 'queued' });
    await expect(givenTo(MESSAGE.list, '--state', 'lost')).rejects.toThrow('--state lost is unknown');
  });

  it('says one thing about a doubt', async () => {
    expect((await givenTo(MESSAGE.settle, 'm1', '--again')).own).toMatchObject({ again: true });
    await expect(givenTo(MESSAGE.settle, 'm1', '--again', '--taken')).rejects.toThrow('cannot be used with');
  });
});
