/** What is said when something cannot listen: what it is, where it was to listen, and what is the matter. */
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
