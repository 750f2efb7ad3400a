import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Two machines with a link between them: network namespaces of this one, which end with the test. */
export interface NetLink {
  /** The words that run a command on that machine. */
  left: string[];
  right: string[];
  leftAddress: string;
  /** Nothing passes any more, and nobody is told. */
  cut(): void;
}

const LEFT_ADDRESS = '10.77.0.1';

/** Undefined where this user may not make namespaces. */
export function makeNetLink(): NetLink | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const [left, right] = [newNetwork(), newNetwork()];
  if (!left || !right) return undefined;
  try {
    const [near, far] = [inside(left), inside(right)];
    run(near, 'ip link add dfleft type veth peer name dfright');
    run(near, `ip link set dfright netns ${right.pid}`);
    run(near, `ip addr add ${LEFT_ADDRESS}/30 dev dfleft`);
    run(far, 'ip addr add 10.77.0.2/30 dev dfright');
    for (const [where, name] of [
      [near, 'dfleft'],
      [far, 'dfright'],
    ] as const) {
      run(where, 'ip link set lo up');
      run(where, `ip link set ${name} up`);
    }
    return { left: near, right: far, leftAddress: LEFT_ADDRESS, cut: () => run(far, 'ip link set dfright down') };
  } catch {
    return undefined;
  }
}

/** A process in a network of its own. It has it once `unshare` has become `sleep`. */
function newNetwork(): ChildProcess | undefined {
  try {
    execFileSync('unshare', ['--net', 'true'], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec sleep 600'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  return holder;
}

function inside({ pid }: ChildProcess): string[] {
  return ['nsenter', '--net', '--target', String(pid)];
}

function run([program = '', ...words]: string[], command: string): void {
  execFileSync(program, [...words, ...command.split(' ')], { stdio: 'ignore' });
}
