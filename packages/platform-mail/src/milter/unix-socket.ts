import { lstatSync, unlinkSync } from 'node:fs'
import { connect } from 'node:net'

/**
 * Removes a socket that a killed process has left behind, so that another one can have its name.
 * @throws Error if a process still listens on it, or if a file of another kind has the name
 */
export async function removeStaleSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new Error('a file that is not a socket has this name')
  if (await isInUse(path)) throw new Error('another process listens on it')
  unlinkSync(path)
}

/** Returns whether a process listens on a socket, or the error that leaves this open. */
function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? resolve(false) : reject(error),
    )
  })
}
