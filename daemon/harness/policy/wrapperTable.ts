/** How a program that runs another program is read, up to the word where that program starts. */
export interface Wrapper {
  /** Options that take a value from the next word. */
  valued?: readonly string[];
  /** Operands before the command (`timeout 5 cmd`: 1). */
  operands?: number;
  /** The command only follows this first operand (`bundle exec cmd`). */
  verb?: string;
}

const NONE: Wrapper = {};

export const WRAPPERS: Record<string, Wrapper> = {
  sudo: {
    valued: [
      ...['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T', '-U', '-r', '-t'],
      ...['--user', '--group', '--host', '--prompt', '--chdir', '--chroot', '--close-from', '--command-timeout'],
      ...['--other-user', '--role', '--type'],
    ],
  },
  doas: { valued: ['-u', '-C'] },
  env: { valued: ['-u', '-C', '-P', '--unset', '--chdir'] },
  'cross-env': NONE,
  nohup: NONE,
  setsid: NONE,
  command: NONE,
  builtin: NONE,
  exec: { valued: ['-a'] },
  time: { valued: ['-f', '-o', '--format', '--output'] },
  nice: { valued: ['-n', '--adjustment'] },
  ionice: { valued: ['-c', '-n', '-p', '-P', '-u', '--class', '--classdata'] },
  timeout: { valued: ['-k', '-s', '--kill-after', '--signal'], operands: 1 },
  gtimeout: { valued: ['-k', '-s', '--kill-after', '--signal'], operands: 1 },
  stdbuf: { valued: ['-i', '-o', '-e', '--input', '--output', '--error'] },
  xargs: {
    valued: [
      ...['-a', '-d', '-E', '-I', '-J', '-L', '-n', '-P', '-R', '-s'],
      ...['--arg-file', '--delimiter', '--max-lines', '--max-args', '--max-procs', '--max-chars', '--replace'],
    ],
  },
  parallel: { valued: ['-j', '--jobs', '-a', '--arg-file', '-n', '-N', '-I', '--delay', '--timeout'] },
  flock: { valued: ['-w', '-E', '--timeout', '--conflict-exit-code'], operands: 1 },
  chroot: { valued: ['--userspec', '--groups'], operands: 1 },
  taskset: { valued: ['-p'], operands: 1 },
  chrt: { operands: 1 },
  faketime: { operands: 1 },
  strace: { valued: ['-e', '-o', '-s', '-p', '-u', '-P', '-E', '-O', '-S', '-a', '-b', '-I', '-X'] },
  caffeinate: { valued: ['-t', '-w'] },
  unbuffer: NONE,
  busybox: NONE,
  toybox: NONE,
  bundle: { verb: 'exec' },
  poetry: { verb: 'run' },
  uv: { verb: 'run', valued: ['--with', '--python', '-p', '--env-file', '--project', '--directory'] },
  pipenv: { verb: 'run' },
  pdm: { verb: 'run' },
  rye: { verb: 'run' },
  corepack: NONE,
};

/** Shells whose `-c` takes a script. */
export const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'fish', 'rbash']);
