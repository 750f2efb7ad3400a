/** What starts devflow at log-in: one file of the system's service manager, and the link that enables it. */
export interface Service {
  name: string;
  file: string;
  text: string;
  /** Absent where the file alone is enough. */
  link?: { path: string; target: string };
  /** Directories that go with the last service in them, the innermost first. */
  directories: readonly string[];
  /** Tells a running manager that the files have changed. */
  reload?: readonly string[];
  /** Prints the state of the service. */
  state?: readonly string[];
  /** Prints `not-found` if a running manager does not search the directory of the file. */
  found?: readonly string[];
  /** What a person types to start it before the next log-in. */
  startNow: string;
}
