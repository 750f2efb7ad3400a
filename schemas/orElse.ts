/** The value that `read` returns; `otherwise` if it throws. */
export function orElse<T>(read: () => T): T | undefined;
export function orElse<T>(read: () => T, otherwise: NoInfer<T>): T;
export function orElse<T>(read: () => T, otherwise?: T): T | undefined {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
