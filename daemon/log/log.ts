import pino, { type DestinationStream, type Logger } from 'pino';
import { visible } from '../../schemas/text/visible.ts';
import { localTime } from '../../schemas/time/localTime.ts';
import { createLogFile } from './logFile.ts';

export interface LogOptions {
  level: string;
  /** Absolute path; its directory must exist. Without it lines go to standard error, for a person. */
  file?: string;
}

/** JSON lines with `time`, `level` and the known ids. Each part of the daemon logs as a `module` (`moduleLogs`). */
export function createLog({ level, file }: LogOptions): Logger {
  const destination = file ? createLogFile(file) : readable();
  const timestamp = pino.stdTimeFunctions.isoTime;
  return pino({ level, base: undefined, timestamp, serializers: { err: errorFacts } }, destination);
}

/** Loggers for the daemon's parts, named for their folders. */
export function moduleLogs(log: Logger): (module: string) => Logger {
  return (module) => log.child({ module });
}

/** pino joins a message to its cause's with a colon, and our messages already end in a full stop. */
function errorFacts(error: Error) {
  const facts = pino.stdSerializers.err(error);
  if (typeof facts?.message === 'string') facts.message = facts.message.replaceAll('.: ', ': ');
  return facts;
}

/** One short line per entry for a person at `devflow up --foreground`. It omits ids that only programs need. */
function readable(): DestinationStream {
  return {
    write(line) {
      const {
        time,
        level,
        msg,
        err,
        module: _module,
        phaseId: _phaseId,
        eventId: _eventId,
        ...rest
      } = JSON.parse(line);
      const facts = Object.entries(rest).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
      const why = err?.message ? [`(${err.message})`] : [];
      const words = [
        `${localTime(time).slice(11)}${time.slice(19, 23)}`,
        pino.levels.labels[level],
        msg,
        ...facts,
        ...why,
      ];
      process.stderr.write(`${visible(words.join(' '))}\n`);
    },
  };
}
