import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { choosePorts, returnPorts } from '../../../daemon/setup/choosePorts.ts';

const chosen = async (names: string[], taken: Iterable<number> = []) => {
  const ports = await choosePorts(names, taken);
  onTestFinished(() => returnPorts(ports));
  return ports;
};

it('gives eight worktrees at once blocks of their own', async () => {
  const names = ['PORT', 'DB_PORT', 'WS_PORT'];
  const all = await Promise.all(Array.from({ length: 8 }, () => chosen(names)));
  const ports = all.flatMap((each) => Object.values(each));
  expect(new Set(ports).size).toBe(24);
  for (const each of all) {
    const [first = 0] = Object.values(each);
    expect(each).toEqual({ PORT: first, DB_PORT: first + 1, WS_PORT: first + 2 });
  }
});

it('gives only free ports, which servers can take, and none that is taken', async () => {
  const { PORT: first = 0 } = await chosen(['PORT']);
  const others = Array.from({ length: 10_000 }, (_, nth) => 20_000 + nth).filter((port) => Math.abs(port - first) > 3);
  // Seven ports are left, and a server has the middle one.
  returnPorts({ PORT: first });
  const server = createServer().listen(first, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { PORT, B, C } = await chosen(['PORT', 'B', 'C'], others);
  expect([PORT, B, C]).not.toContain(first);
  await expect(chosen(['A', 'B', 'C', 'D'], others)).rejects.toMatchObject({ code: 'no_free_port' });
  const other = createServer().listen(PORT, '127.0.0.1');
  onTestFinished(() => void other.close());
  await new Promise((resolve) => other.once('listening', resolve));
});

it('gives no port twice until it is returned, and one for each name', async () => {
  expect(await choosePorts([])).toEqual({});
  const ports = await chosen(['A', 'A']);
  expect(Object.keys(ports)).toEqual(['A']);
  const rest = Array.from({ length: 10_000 }, (_, nth) => 20_000 + nth).filter((port) => port !== ports.A);
  await expect(choosePorts(['B'], rest)).rejects.toMatchObject({ code: 'no_free_port' });
  returnPorts(ports);
  expect(await chosen(['B'], rest)).toEqual({ B: ports.A });
});
