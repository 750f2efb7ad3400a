/**
 * A filter of system calls, as seccomp takes it: instructions of 8 bytes. It refuses calls that could harm the system
 * outside, and none that a build or a test needs.
 */

interface Machine {
  /** The value of the kernel for this architecture. */
  arch: number;
  /** System calls that are refused, by number. */
  refused: readonly number[];
  /** System calls by which a program makes or enters namespaces, or mounts. */
  nesting: readonly number[];
  clone: number;
  unshare: number;
  ioctl: number;
  socket: number;
  /** Numbers from here on belong to another set of system calls. */
  foreignFrom?: number;
}

/** They have the same number everywhere: io_uring_setup, io_uring_enter, io_uring_register. */
const RINGS = [425, 426, 427];
/** open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr. */
const NEW_MOUNTS = [428, 429, 430, 431, 432, 433, 442];
const CLONE3 = 435;

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    arch: 0xc000003e,
    // add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, syslog, open_by_handle_at, kexec_load,
    // kexec_file_load, init_module, finit_module, delete_module, reboot, swapon, swapoff, acct, quotactl, lookup_dcookie.
    refused: [248, 249, 250, 321, 298, 323, 103, 304, 246, 320, 175, 313, 176, 169, 167, 168, 163, 179, 212, ...RINGS],
    // mount, umount2, pivot_root, setns.
    nesting: [165, 166, 155, 308, ...NEW_MOUNTS],
    clone: 56,
    unshare: 272,
    ioctl: 16,
    socket: 41,
    foreignFrom: 0x40000000,
  },
  arm64: {
    arch: 0xc00000b7,
    refused: [217, 218, 219, 280, 241, 282, 116, 265, 104, 294, 105, 273, 106, 142, 224, 225, 89, 60, 18, ...RINGS],
    nesting: [40, 39, 41, 268, ...NEW_MOUNTS],
    clone: 220,
    unshare: 97,
    ioctl: 29,
    socket: 198,
  },
};

/** Of `struct seccomp_data`, on a machine whose numbers begin with their lowest byte. */
const NUMBER_AT = 0;
const ARCH_AT = 4;
const FIRST_AT = 16;
const SECOND_AT = 24;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** They type into a terminal, or select and paste on a console. */
const TYPING = [0x5412, 0x541c];
/** A socket to the machine that runs this one. No namespace limits it. */
const AF_VSOCK = 40;

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
/** A libc then uses the older call, whose arguments the filter can read. */
const ENOSYS = 0x00050026;

type Instruction = readonly [code: number, yes: number, no: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const skipUnless = (value: number, count: number): Instruction => [0x15, 0, count, value];
const skipBelow = (value: number, count: number): Instruction => [0x35, 0, count, value];
const skipWithout = (bits: number, count: number): Instruction => [0x45, 0, count, bits];
const answer = (value: number): Instruction => [0x06, 0, 0, value];

/** True if there is a filter for this architecture, in Node's words. */
export function hasFilter(architecture: string): boolean {
  return architecture in MACHINES;
}

/** `nests`: programs inside may make namespaces, and with them sandboxes of their own. */
export function systemCallFilter(architecture: string, { nests }: { nests: boolean }): Buffer {
  const machine = MACHINES[architecture];
  if (!machine) throw new TypeError(`There is no filter for ${architecture}.`);
  const { arch, refused, nesting, clone, unshare, ioctl, socket, foreignFrom } = machine;
  const program: Instruction[] = [
    load(ARCH_AT),
    // Programs for another architecture have other numbers.
    [0x15, 1, 0, arch],
    answer(ENOSYS),
    load(NUMBER_AT),
    ...(foreignFrom === undefined ? [] : [skipBelow(foreignFrom, 1), answer(ENOSYS)]),
    ...refused.flatMap((number) => [skipUnless(number, 1), answer(EPERM)]),
    ...(nests ? [] : withoutNesting(nesting, clone, unshare)),
    ...refusedIf(ioctl, SECOND_AT, TYPING),
    ...refusedIf(socket, FIRST_AT, [AF_VSOCK]),
    answer(ALLOW),
  ];
  return encode(program);
}

function withoutNesting(nesting: readonly number[], clone: number, unshare: number): Instruction[] {
  const making = [clone, unshare].flatMap((number): Instruction[] => [
    skipUnless(number, 4),
    load(FIRST_AT),
    skipWithout(NEW_NAMESPACES, 1),
    answer(EPERM),
    answer(ALLOW),
  ]);
  return [
    ...nesting.flatMap((number) => [skipUnless(number, 1), answer(EPERM)]),
    skipUnless(CLONE3, 1),
    answer(ENOSYS),
    ...making,
  ];
}

/** Refuses a call with one of these values as the argument at `offset`. */
function refusedIf(number: number, offset: number, values: readonly number[]): Instruction[] {
  const tests = values.flatMap((value) => [skipUnless(value, 1), answer(EPERM)]);
  return [skipUnless(number, tests.length + 2), load(offset), ...tests, answer(ALLOW)];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [nth, [code, yes, no, value]] of program.entries()) {
    bytes.writeUInt16LE(code, nth * 8);
    bytes.writeUInt8(yes, nth * 8 + 2);
    bytes.writeUInt8(no, nth * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, nth * 8 + 4);
  }
  return bytes;
}
