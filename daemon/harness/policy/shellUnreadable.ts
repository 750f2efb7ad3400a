/** Thrown inside the shell reader when a script has no certain reading; it never leaves the policy. */
export class ShellUnreadable extends Error {
  override readonly name = 'ShellUnreadable';
}
