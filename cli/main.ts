import { runCli } from './commandLine.ts';
import { processIo } from './io/io.ts';

/** A reader that stops early, such as `head`, is no error. */
function endQuietlyOnBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? 0);
  });
}

endQuietlyOnBrokenPipe(process.stdout);
endQuietlyOnBrokenPipe(process.stderr);
// Not process.exit, which drops output that a pipe has not taken yet. Node would not write its compile cache either.
runCli(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
