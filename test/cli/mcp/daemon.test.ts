import { describe, expect, test } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { createMcpDaemon } from '../../../cli/mcp/daemon.ts';
import { DevflowError } from '../../../schemas/errors.ts';

const away = () => new DevflowError('daemon_not_running', 'gone');

/** Each connection answers with its number, and breaks at so many calls. */
function given({ breaksAt = Number.POSITIVE_INFINITY, refused = 0 } = {}) {
  const calls: string[] = [];
  let opened = 0;
  let left = refused;
  let drop = () => {};
  const daemon = createMcpDaemon(async () => {
    if (left > 0) {
      left -= 1;
      throw away();
    }
    opened += 1;
    const nth = opened;
    let close = () => {};
    const closed = new Promise<void>((resolve) => {
      close = resolve;
    });
    drop = close;
    return {
      request: async (method: string) => {
        calls.push(`${nth} ${method}`);
        if (calls.length === breaksAt) {
          close();
          throw away();
        }
        return nth;
      },
      closed,
      close,
    } as unknown as Client;
  });
  return { daemon, calls, opened: () => opened, drop: () => drop() };
}

describe('the connection of the MCP server', () => {
  test('opens at the first call, and stays', async () => {
    const { daemon, opened } = given();
    expect(opened()).toBe(0);
    await Promise.all([daemon.request('a', {}), daemon.request('b', {})]);
    expect(await daemon.request('c', {})).toBe(1);
    expect(opened()).toBe(1);
  });

  test('opens again after the daemon restarted', async () => {
    const { daemon, drop } = given();
    await daemon.request('a', {});
    drop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await daemon.request('b', {})).toBe(2);
  });

  test('repeats a call that the end of the daemon cut off, once', async () => {
    const { daemon, calls } = given({ breaksAt: 1 });
    expect(await daemon.request('a', {})).toBe(2);
    expect(calls).toEqual(['1 a', '2 a']);
  });

  test('says that no daemon runs, and finds one that starts later', async () => {
    const { daemon } = given({ refused: 1 });
    await expect(daemon.request('a', {})).rejects.toMatchObject({ code: 'daemon_not_running' });
    expect(await daemon.request('a', {})).toBe(1);
  });
});
