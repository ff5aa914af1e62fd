import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { killGroup } from './kill-group.ts'

/**
 * The environment variable that names the instance to which a process belongs. It also finds the processes that left their
 * parent and their session.
 */
export const instanceVariable = 'SIGNALBOX_INSTANCE'

interface Process {
  readonly id: number
  readonly parent: number
  readonly session: number
  /** The time when it started, in ticks. */
  readonly start: number
}

/**
 * Returns the ids of all processes of an instance: its first processes, all that descend from them, all of their sessions,
 * and all whose environment names the instance. Returns only the first processes on a system without /proc.
 * @param leaders the first processes of the instance, which lead their sessions
 * @param instance the value of `instanceVariable`. Without it, environments are not read.
 * @param maxAge the milliseconds that may have passed since the processes of the machine were listed
 */
export function processesOf(leaders: readonly number[], instance?: string, maxAge = 0): ReadonlySet<number> {
  const all = runningProcesses(maxAge)
  const own = new Set(leaders)
  const marked = Buffer.from(`${instanceVariable}=${instance}\0`)
  // To read an environment takes long, and a process that is older than the first ones does not belong to the instance.
  const starts = all.filter(({ id }) => own.has(id)).map(({ start }) => start)
  const first = starts.length > 0 && starts.length === leaders.length ? Math.min(...starts) : 0
  for (const { id, session, start } of all) {
    const mayBeMarked = instance !== undefined && start >= first
    if (leaders.includes(session) || (mayBeMarked && environmentOf(id)?.includes(marked))) own.add(id)
  }
  for (let size = 0; size < own.size; ) {
    size = own.size
    for (const { id, parent } of all) if (own.has(parent)) own.add(id)
  }
  return own
}

/** What was listed last, because the list is the same for all instances, and takes some milliseconds. */
let listed: { readonly at: number; readonly processes: readonly Process[] } | undefined

function runningProcesses(maxAge: number): readonly Process[] {
  const now = performance.now()
  if (listed === undefined || now - listed.at >= maxAge) listed = { at: now, processes: listProcesses() }
  return listed.processes
}

function listProcesses(): readonly Process[] {
  return list('/proc').flatMap(name => {
    const stat = /^\d+$/.test(name) ? readLine(`/proc/${name}/stat`) : undefined
    if (stat === undefined) return []
    // The second field is the name of the program in parentheses, and may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [, parent, , session] = fields
    return [{ id: Number(name), parent: Number(parent), session: Number(session), start: Number(fields[19]) }]
  })
}

function environmentOf(id: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${id}/environ`)
  } catch {
    // The process has ended, or belongs to another user.
    return undefined
  }
}

/** Kills all processes of an instance. Parameters as for `processesOf`. Never throws. */
export function killProcesses(leaders: readonly number[], instance: string): void {
  // A process that is stopped starts no other while the rest is looked for, and keeps its children.
  for (const leader of leaders) killGroup(leader, 'SIGSTOP')
  let strays = straysOf(leaders, instance)
  for (const leader of leaders) killGroup(leader)
  // Processes outside of the groups may have started others in the meantime.
  for (let time = 0; time < 3 && strays.length > 0; time++) {
    for (const id of strays) killProcess(id)
    strays = straysOf(leaders, instance)
  }
}

function straysOf(leaders: readonly number[], instance: string): readonly number[] {
  return [...processesOf(leaders, instance)].filter(id => !leaders.includes(id))
}

function killProcess(id: number): void {
  try {
    process.kill(id, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** Returns the resident memory of processes in bytes. */
export function memoryOf(ids: Iterable<number>): number {
  let kilobytes = 0
  for (const id of ids)
    kilobytes += Number(/^VmRSS:\s*(\d+) kB$/m.exec(read(`/proc/${id}/status`) ?? '')?.[1] ?? 0)
  return kilobytes * 1024
}

/** The two ends of a connection on this machine. They are undefined for a connection that is gone. */
export interface Ends {
  /** The port of the process that connected. */
  readonly remotePort?: number | undefined
  /** The port that listens. */
  readonly localPort?: number | undefined
}

/**
 * Returns which connections a process of an instance has opened, on a system with /proc. Many connections take hardly
 * longer than one, because the tables of the system are read once. An environment does not count here, because any
 * process can write its own.
 */
export function openedBy(leaders: readonly number[], connections: readonly Ends[]): readonly boolean[] {
  const links = linksOf(connections)
  const missing = new Set(links)
  missing.delete(undefined)
  const own = new Set<string | undefined>()
  for (const id of likelyProcessesOf(leaders)) {
    if (missing.size === 0) break
    for (const fd of list(`/proc/${id}/fd`)) {
      const link = readLink(`/proc/${id}/fd/${fd}`)
      if (missing.delete(link)) own.add(link)
      if (missing.size === 0) break
    }
  }
  return links.map(link => own.has(link))
}

/** Yields the processes of an instance. To find those whose parents live, the other processes need not be read. */
function* likelyProcessesOf(leaders: readonly number[]): Generator<number> {
  const found = new Set(leaders)
  for (const id of found) {
    yield id
    for (const thread of list(`/proc/${id}/task`))
      for (const child of read(`/proc/${id}/task/${thread}/children`)?.match(/\d+/g) ?? [])
        found.add(Number(child))
  }
  for (const id of processesOf(leaders)) if (!found.has(id)) yield id
}

/** A connection on 127.0.0.1 as /proc writes it, also as a part of an IPv6 address, with its ports and its inode. */
const end = '(?:[0-9A-F]{24})?(?:0100007F|7F000001):([0-9A-F]{4})'
const connection = new RegExp(`^ *\\d+: ${end} ${end} (?:\\S+ +){6}(\\d+) `, 'gm')

/** Returns what the links of /proc call the sockets of the processes that connected. */
function linksOf(connections: readonly Ends[]): readonly (string | undefined)[] {
  const links = new Map<string, string>()
  const linkOf = ({ remotePort, localPort }: Ends) => links.get(`${remotePort} ${localPort}`)
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    // A socket that is closing has the inode 0.
    for (const [, from, to, inode] of (read(table) ?? '').matchAll(connection))
      if (inode !== '0')
        links.set(`${Number.parseInt(from!, 16)} ${Number.parseInt(to!, 16)}`, `socket:[${inode}]`)
    if (connections.every(each => linkOf(each) !== undefined)) break
  }
  return connections.map(linkOf)
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const line = Buffer.allocUnsafeSlow(1024)

/** Reads a short file, without the buffers that \`readFileSync\` makes for a file of unknown size. */
function readLine(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    return line.toString('latin1', 0, readSync(descriptor, line))
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return undefined
  }
}

function readLink(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}
