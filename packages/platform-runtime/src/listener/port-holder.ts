import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** A process that listens on a port. */
export interface PortHolder {
  readonly pid: number
  /** The program, such as `node`. */
  readonly program: string
  /** The working folder of the process. */
  readonly folder: string
}

/**
 * Returns the process that listens on a TCP port of this machine. Returns undefined when the process belongs to
 * another user, or when the system has no `/proc`, as on macOS and Windows. Never throws.
 */
export function portHolder(port: number): PortHolder | undefined {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap(table => listeningSockets(table, port)))
    if (sockets.size === 0) return undefined
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name) || !holds(name, sockets)) continue
      // The file `comm` would not help, because it contains the name of the main thread, which is `MainThread` for
      // Node.
      const [path = ''] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      const program = basename(path)
      return { pid: Number(name), program, folder: readlinkSync(`/proc/${name}/cwd`) }
    }
  } catch {
    // The system has no such file, or the process has ended in the meantime.
  }
  return undefined
}

/** Returns the sockets that listen on a port, as links in `/proc/PID/fd` name them. proc(5) describes the columns. */
function listeningSockets(table: string, port: number): string[] {
  const listening = '0A'
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return readFileSync(`/proc/net/${table}`, 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === listening && local?.endsWith(suffix))
    .map(columns => `socket:[${columns[9]}]`)
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(fd => sockets.has(linkOf(`/proc/${pid}/fd/${fd}`)))
  } catch {
    return false
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
