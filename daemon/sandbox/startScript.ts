/**
 * Starts bubblewrap with its arguments, the filter and the variables from files. Signals to the whole group do not end
 * bubblewrap, because a program inside may still tidy up.
 */
const START = 'trap "" HUP INT QUIT TERM; exec 7<"$1" 8<"$2" 9<"$3"; shift 3; exec "$@"';
/** The same for another program: only the variables. */
const START_WITH_VARIABLES = 'exec 9<"$1"; shift; exec "$@"';

/** A status of the guard: the sandbox is not what devflow prepared. */
export const NOT_AS_PREPARED = 125;

/** Only the program gets these variables: an agent could be behind a search path or a library that they name. */
const SET_VARIABLES = `
open(my $changes, '<&=', 9) or do { print STDERR "devflow: the sandbox has no variables ($!)\\n"; exit ${NOT_AS_PREPARED} };
{ local $/ = "\\0"; while (defined(my $change = <$changes>)) {
  chomp $change;
  my ($name, $value) = split /=/, $change, 2;
  if (defined $value) { $ENV{$name} = $value } else { delete $ENV{$name} }
} }
`;

const START_PROGRAM = `
{ no warnings; exec { $ARGV[0] } @ARGV; }
print STDERR "devflow: there is no program $ARGV[0] (PATH is $ENV{PATH})\\n";
exit 127;
`;

/**
 * Runs inside before the program. Arguments: what must hold, `--`, the command line. In this order:
 * A path that an agent could have replaced must be the file or directory that devflow looked at.
 * Nothing else can be written: a link that is gone again could have led a mount elsewhere.
 * Landlock (Linux 6.12) closes abstract sockets, which belong to the network and to no directory.
 * Signals work again as usual, and no file of another program is open.
 */
const GUARD = `
my @trees;
my %places = map { $_ => 1 } '/proc', '/dev', map { "/dev/$_" } qw(null zero full random urandom tty pts console shm mqueue);
while (defined(my $fact = shift)) {
  last if $fact eq '--';
  my ($kind, $dev, $ino, $path) = split /:/, $fact, 4;
  if ($kind eq 'scoped') {
    my $rules = pack 'QQQ', 0, 0, 1;
    my $fd = syscall(444, $rules, 24, 0);
    next if $fd >= 0 && syscall(446, $fd + 0, 0) == 0;
    print STDERR "devflow: the sandbox could not close abstract sockets ($!)\\n";
    exit ${NOT_AS_PREPARED};
  }
  if ($kind eq 'writes') { $places{$path} = 1; push @trees, "$path/" if $dev eq 'tree'; next }
  my @found = lstat $path;
  next if @found && $found[0] eq $dev && $found[1] eq $ino;
  print STDERR "devflow: the sandbox was not started, because $path was replaced meanwhile\\n";
  exit ${NOT_AS_PREPARED};
}
open(my $mounts, '<', '/proc/self/mountinfo') or do { print STDERR "devflow: the sandbox cannot see its mounts ($!)\\n"; exit ${NOT_AS_PREPARED} };
while (my $line = <$mounts>) {
  my ($place, $options) = (split / /, $line)[4, 5];
  next unless ",$options," =~ /,rw,/;
  $place =~ s/\\\\([0-7]{3})/chr oct $1/ge;
  next if $places{$place} || grep { index($place, $_) == 0 } @trees;
  print STDERR "devflow: the sandbox was not started, because it could write to $place\\n";
  exit ${NOT_AS_PREPARED};
}
close $mounts;
${SET_VARIABLES}
syscall(436, 3, 0x7fffffff, 0);
$SIG{$_} = 'DEFAULT' for qw(HUP INT QUIT TERM);
${START_PROGRAM}`;

/** A file or directory as devflow found it. */
export interface Known {
  path: string;
  dev: string;
  ino: string;
}

export interface Written {
  path: string;
  /** Mounts below the same path outside can be written, too. */
  isTree: boolean;
}

export interface Start {
  /** Absolute paths of the programs. */
  bubblewrap: string;
  perl: string;
  argumentsFile: string;
  filterFile: string;
  variablesFile: string;
  closesAbstractSockets: boolean;
  known: readonly Known[];
  /** The writable places inside. */
  written: readonly Written[];
}

/** The words before a command line that start it in the sandbox. Pure. */
export function startWords(start: Start): string[] {
  const facts = [
    ...(start.closesAbstractSockets ? ['scoped:0:0:'] : []),
    ...start.written.map(({ path, isTree }) => `writes:${isTree ? 'tree' : ''}::${path}`),
    ...start.known.map(({ path, dev, ino }) => `path:${dev}:${ino}:${path}`),
  ];
  return [
    ...['/bin/sh', '-c', START, 'devflow-sandbox', start.argumentsFile, start.filterFile, start.variablesFile],
    ...[start.bubblewrap, '--args', '7', '--seccomp', '8', '--'],
    ...[start.perl, '-e', GUARD, '--', ...facts, '--'],
  ];
}

/** The same for Seatbelt. Pure. */
export function seatbeltWords(program: string, profile: string, variablesFile: string): string[] {
  return [
    ...['/bin/sh', '-c', START_WITH_VARIABLES, 'devflow-sandbox', variablesFile, program, '-f', profile],
    ...['/usr/bin/perl', '-e', `${SET_VARIABLES}${START_PROGRAM}`, '--'],
  ];
}
