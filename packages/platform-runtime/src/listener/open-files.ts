import { readFileSync } from 'node:fs'

/** A listener that holds connections. */
interface ConnectionHolder {
  readonly connections: () => number
  /** Closes one connection, if one can be replaced. Returns whether it did. */
  readonly makeRoom: () => boolean
}

/** The listeners of this process that have connections. */
const holders = new Set<ConnectionHolder>()

/** The part of the process's descriptors that stays free for files, databases and functions. */
const reserved = 1 / 4

let most: number | undefined

/**
 * Adds a listener to those that share the descriptors of this process.
 * @returns a function that makes room for one more connection, and returns whether there is room. When the descriptors
 * are used up, the listener with the most connections closes one of its own.
 */
export function shareDescriptors(holder: ConnectionHolder): () => boolean {
  return () => {
    holders.add(holder)
    let total = 0
    let largest = holder
    for (const each of holders) {
      const connections = each.connections()
      total += connections
      if (connections > largest.connections()) largest = each
      if (connections === 0 && each !== holder) holders.delete(each)
    }
    most ??= Math.floor(openFilesLimit() * (1 - reserved))
    return total < most || largest.makeRoom()
  }
}

/**
 * Returns how many files and connections the system lets this process have open at a time. Node raises the limit as
 * far as the system allows. Returns Infinity on a system that does not say it.
 */
function openFilesLimit(): number {
  try {
    const [, soft] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined || soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
