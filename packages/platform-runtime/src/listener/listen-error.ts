/** The error of a listener that cannot start: which one, at which address, and why. */
export function listenError(
  what: string,
  { port, host }: { readonly port: number; readonly host: string },
  error: NodeJS.ErrnoException,
): Error {
  const why =
    error.code === 'EADDRINUSE'
      ? 'is in use'
      : error.code === 'EACCES'
        ? 'is not permitted'
        : `cannot be listened on (${error.message})`
  return new Error(`${what} cannot start: port ${port} of ${host} ${why}.`, { cause: error })
}
