import { portHolder } from './port-holder.ts'

/**
 * Returns the error for a listener that cannot start. It names the listener, its address and the reason. If the port is
 * in use, it says how to choose another one.
 * @param key the configuration key of the port, such as `queueListener.port`
 */
export function listenError(
  what: string,
  key: string,
  { port, host }: { readonly port: number; readonly host: string },
  error: NodeJS.ErrnoException,
): Error {
  const why =
    error.code === 'EADDRINUSE'
      ? `is in use${by(port)}. Choose another with ${key}; 0 takes one that is free`
      : error.code === 'EACCES'
        ? 'is not permitted'
        : `cannot be listened on (${error.message})`
  return new Error(`${what} cannot start: port ${port} of ${host} ${why}.`, { cause: error })
}

function by(port: number): string {
  const holder = portHolder(port)
  if (holder === undefined) return ''
  const { pid, program, folder } = holder
  return pid === process.pid ? ' by this program' : ` by process ${pid}, ${program} in ${folder}`
}
