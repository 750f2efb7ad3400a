import { runCli } from './commandLine.ts';
import { processIo } from './io.ts';

/** A reader that has seen enough, such as `head`, is no error. */
function endQuietlyOnBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });
}

endQuietlyOnBrokenPipe(process.stdout);
endQuietlyOnBrokenPipe(process.stderr);
// Not process.exit: what was written to a pipe is still on its way, and the compile cache is written at a normal end.
runCli(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
