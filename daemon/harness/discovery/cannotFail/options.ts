/** Options by which a tool ends with 0 whatever it finds, or finds nothing. */
const ALWAYS = new Map([
  ['--if-present', 'without such a script'],
  ['--passWithNoTests', 'without tests'],
  ['--pass-with-no-tests', 'without tests'],
  ['--no-tests=ignore', 'without tests'],
  ['--exit-zero', 'whatever it finds'],
  ['--issues-exit-code=0', 'whatever it finds'],
  ['--no-exit-code', 'whatever it finds'],
  ['--pass-on-failing-test-suite', 'whatever it finds'],
  ['--fail-never', 'whatever it finds'],
  ['--ignore-errors', 'whatever fails'],
  ['-Dmaven.test.failure.ignore', 'whatever fails'],
  ['-DskipTests', 'without a test'],
  ['-Dmaven.test.skip', 'without a test'],
]);
/** Options that mean this to one program alone. */
const OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  mvn: { '-fn': 'whatever fails' },
  mvnw: { '-fn': 'whatever fails' },
  make: { '-i': 'whatever fails' },
  gmake: { '-i': 'whatever fails' },
};

/** What an option of the command says, such as `--exit-zero ends with 0 whatever it finds`. */
export function passingOption(program: string, args: readonly string[]): string | undefined {
  const own = Object.hasOwn(OF, program) ? OF[program] : undefined;
  for (const arg of args) {
    const plain = arg.replace(/=true$/, '');
    const when = ALWAYS.get(plain) ?? own?.[plain];
    if (when !== undefined) return `${plain} ends with 0 ${when}`;
  }
  return undefined;
}
