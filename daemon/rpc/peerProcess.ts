import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** Node cannot tell which process is at the other end of a socket. These programs can, for an inherited descriptor. */
const PROGRAMS: readonly (readonly [program: string, flag: string, script: string])[] = [
  [
    'perl',
    '-e',
    `open(my $s, '+<&=', 3) or exit 1; my ($l, $o) = $^O eq 'darwin' ? (0, 2) : (1, 17);
     my $c = getsockopt($s, $l, $o) or exit 1; print unpack('i', $c)`,
  ],
  [
    'python3',
    '-c',
    `import socket, struct, sys; l, o = (0, 2) if sys.platform == 'darwin' else (1, 17)
s = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, fileno=3); print(struct.unpack_from('i', s.getsockopt(l, o, 12))[0])`,
  ],
];
const PATIENCE_MS = 5_000;

/**
 * The pid of the process that connected this socket: 0 if it is gone or the answer came too late. Undefined if the
 * system cannot tell. Costs one process of about 5 ms.
 */
export async function readPeerPid(socket: Socket): Promise<number | undefined> {
  if (process.platform !== 'linux' && process.platform !== 'darwin') return undefined;
  for (const [program, flag, script] of PROGRAMS) {
    // Read it each time: the system soon reuses the descriptor of a closed connection.
    const { fd = -1 } = (socket as Socket & { _handle?: { fd?: number } | null })._handle ?? {};
    if (fd < 0) return 0;
    const said = await output(program, [flag, script], fd);
    if (said === undefined) return 0;
    const pid = Number(said);
    if (Number.isInteger(pid) && pid > 0) return pid;
  }
  return undefined;
}

/** Passes the socket as descriptor 3: Node makes the first three blocking, and with them the daemon's own end. Undefined if the program could not run or was too slow. */
function output(program: string, args: string[], fd: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'ignore', fd],
      env: { PATH: process.env.PATH },
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => (text += chunk));
    // Only a missing program means "cannot tell". An agent could exhaust processes or descriptors on purpose.
    child.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ENOENT' ? '' : undefined));
    child.on('close', (_code, signal) => resolve(signal === null ? text : undefined));
  });
}
