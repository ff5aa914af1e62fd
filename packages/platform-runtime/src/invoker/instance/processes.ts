import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
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
  for (const { id, session } of all)
    if (leaders.includes(session) || (instance !== undefined && environmentOf(id)?.includes(marked)))
      own.add(id)
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
    const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : undefined
    if (stat === undefined) return []
    // The second field is the name of the program in parentheses, and may contain anything.
    const [, parent, , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [{ id: Number(name), parent: Number(parent), session: Number(session) }]
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

/** The two ends of a connection on this machine. */
export interface Ends {
  /** The port of the process that connected. */
  readonly remotePort: number
  /** The port that listens. */
  readonly localPort: number
}

/**
 * Returns whether one of the processes of an instance has opened a connection, on a system with /proc. An environment does
 * not count here, because any process can write its own.
 */
export function hasOpened(leaders: readonly number[], ends: Ends): boolean {
  const link = `socket:[${inodeOf(ends)}]`
  const holds = (id: number) => list(`/proc/${id}/fd`).some(fd => readLink(`/proc/${id}/fd/${fd}`) === link)
  return leaders.some(holds) || [...processesOf(leaders)].some(holds)
}

/** 127.0.0.1 as /proc writes it, also as a part of an IPv6 address. */
const loopback = '(?:[0-9A-F]{24})?(?:0100007F|7F000001)'

/** Returns the inode of the socket of the process that connected. Returns undefined when the connection is gone. */
function inodeOf({ remotePort, localPort }: Ends): string | undefined {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, '0')
  const line = new RegExp(
    `^ *\\d+: ${loopback}:${port(remotePort)} ${loopback}:${port(localPort)} (?:\\S+ +){6}(\\d+) `,
    'm',
  )
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const [, inode] = line.exec(read(table) ?? '') ?? []
    // A socket that is closing has the inode 0.
    if (inode !== undefined && inode !== '0') return inode
  }
  return undefined
}

function list(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
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
