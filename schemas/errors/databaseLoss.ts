/** SQLSTATEs of a server that shuts down, crashed or starts, and of failed connections. */
const STATES = /^(?:57P0[1-3]|08...)$/;
/** The driver's words about a connection that ended, or that it could not open in time. */
const DRIVER = /connection terminated|connection error|not queryable|timeout exceeded when trying|client was closed/i;
/** Codes of a connection that broke during a statement. `NOBODY`: of an absent server; `NAMELESS`: of an unknown name. */
const BROKEN = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN'];
const NOBODY = [...BROKEN, 'ECONNREFUSED', 'ENOENT', 'EHOSTDOWN', 'EADDRNOTAVAIL'];
const NAMELESS = ['ENOTFOUND', 'EAI_AGAIN'];
/** Where a Postgres listens without a port. */
const SOCKET = /\.s\.PGSQL\.\d+$/;

/**
 * The sign of a lost database connection, in a driver's error or in its cause; undefined for other errors. Only for a
 * program whose other connections handle their errors themselves. Pure.
 */
export function lossIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, severity, syscall, address, port, message, cause } = error as Error & Record<string, unknown>;
  if (typeof code === 'string' && typeof severity === 'string') return STATES.test(code) ? message : undefined;
  if (DRIVER.test(message)) return message;
  const isOurs = typeof port === 'number' || (typeof address === 'string' && SOCKET.test(address));
  if (syscall === 'connect' && isOurs && NOBODY.includes(String(code))) return message;
  if ((syscall === 'read' || syscall === 'write') && BROKEN.includes(String(code))) return message;
  if (syscall === 'getaddrinfo' && NAMELESS.includes(String(code))) return message;
  // It has one error for each address of a name.
  if (error instanceof AggregateError && error.errors.length > 0) return lossIn(error.errors[0]);
  return lossIn(cause);
}
