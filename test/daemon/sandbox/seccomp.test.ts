import { describe, expect, it } from 'vitest';
import { hasFilter, systemCallFilter } from '../../../daemon/sandbox/seccomp.ts';

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const ENOSYS = 0x00050026;

interface Call {
  arch: number;
  number: number;
  args?: readonly number[];
}

/** What the kernel does with the filter. */
function judge(filter: Buffer, { arch, number, args = [] }: Call): number {
  const data = [number, arch, 0, 0, ...args.flatMap((value) => [value >>> 0, 0])];
  let accumulator = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const [yes, no, value] = [filter[at * 8 + 2] ?? 0, filter[at * 8 + 3] ?? 0, filter.readUInt32LE(at * 8 + 4)];
    if (code === 0x20) accumulator = data[value / 4] ?? 0;
    else if (code === 0x06) return value;
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? yes : no;
    else throw new Error(`unknown instruction ${code}`);
  }
  throw new Error('the filter has no end');
}

const MACHINES = {
  x64: { arch: 0xc000003e, read: 0, clone: 56, unshare: 272, mount: 165, keyctl: 250, ioctl: 16, socket: 41, bpf: 321 },
  arm64: {
    arch: 0xc00000b7,
    read: 63,
    clone: 220,
    unshare: 97,
    mount: 40,
    keyctl: 219,
    ioctl: 29,
    socket: 198,
    bpf: 280,
  },
};
const CLONE3 = 435;
const NEW_USER = 0x10000000;
const THREAD = 0x3d0f00;

describe.each(Object.entries(MACHINES))('the filter of %s', (architecture, machine) => {
  const { arch } = machine;
  const filter = systemCallFilter(architecture, { nests: false });
  const asks = (number: number, ...args: number[]) => judge(filter, { arch, number, args });

  it('allows what programs do all the time', () => {
    expect([machine.read, machine.ioctl, machine.socket].map((number) => asks(number))).toEqual([ALLOW, ALLOW, ALLOW]);
  });

  it('refuses keys, programs in the kernel and rings', () => {
    expect([machine.keyctl, machine.bpf, 425].map((number) => asks(number))).toEqual([EPERM, EPERM, EPERM]);
  });

  it('allows threads and processes, and refuses namespaces', () => {
    expect(asks(machine.clone, THREAD)).toBe(ALLOW);
    expect(asks(machine.clone, 17)).toBe(ALLOW);
    expect(asks(machine.clone, NEW_USER | 17)).toBe(EPERM);
    expect(asks(machine.unshare, 0x400)).toBe(ALLOW);
    expect(asks(machine.unshare, NEW_USER)).toBe(EPERM);
    expect(asks(CLONE3)).toBe(ENOSYS);
    expect(asks(machine.mount)).toBe(EPERM);
  });

  it('refuses to type into a terminal, and to speak to the machine below', () => {
    expect(asks(machine.ioctl, 0, 0x5412)).toBe(EPERM);
    expect(asks(machine.ioctl, 0, 0x541c)).toBe(EPERM);
    expect(asks(machine.ioctl, 0, 0x5413)).toBe(ALLOW);
    expect(asks(machine.socket, 40)).toBe(EPERM);
    expect(asks(machine.socket, 1)).toBe(ALLOW);
  });

  it('does not know the calls of another architecture', () => {
    expect(judge(filter, { arch: 0x40000003, number: 1 })).toBe(ENOSYS);
  });

  it('lets a program that makes sandboxes make namespaces, and nothing else', () => {
    const nesting = systemCallFilter(architecture, { nests: true });
    expect(judge(nesting, { arch, number: machine.clone, args: [NEW_USER] })).toBe(ALLOW);
    expect(judge(nesting, { arch, number: machine.mount })).toBe(ALLOW);
    expect(judge(nesting, { arch, number: machine.keyctl })).toBe(EPERM);
  });
});

it('refuses the other set of calls of x86-64', () => {
  const filter = systemCallFilter('x64', { nests: false });
  expect(judge(filter, { arch: MACHINES.x64.arch, number: 0x40000000 + MACHINES.x64.keyctl })).toBe(ENOSYS);
});

it('exists for the architectures of devflow', () => {
  expect([hasFilter('x64'), hasFilter('arm64'), hasFilter('riscv64')]).toEqual([true, true, false]);
});
