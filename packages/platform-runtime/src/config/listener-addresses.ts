import { isObject, type Problem } from '@signalbox/codec'
import { isOwnAddress } from '../listener/own-host.ts'
import type { UncheckedObject } from './field-problems.ts'

/** The default address of a listener. Only this machine reaches it. */
export const defaultHost = '127.0.0.1'

/** The address of a listener in the configuration. */
export interface ListenerAddress {
  /** The name of the listener, such as `mail`. */
  readonly name: string
  /** The JSON pointer to the listener's part of the configuration. */
  readonly pointer: string
  readonly part: UncheckedObject
  /** Whether every client has to authenticate before it can use anything that is not public. */
  readonly authenticates: boolean
}

/**
 * Returns the listener under a top-level key, in a list. The list is empty if the value of the key is not an object.
 */
export function listenerAt(
  key: string,
  name: string,
  port: number,
  part: unknown,
  authenticates: boolean,
): ListenerAddress[] {
  return isObject(part) ? [{ name, pointer: `/${key}`, part: { port, ...part }, authenticates }] : []
}

/** Returns a problem for each listener that has the same address as another listener. */
export function sharedAddresses(listeners: readonly ListenerAddress[]): readonly Problem[] {
  const taken = new Map<string, string>()
  return listeners.flatMap(({ name, pointer, part: { host = defaultHost, port } }) => {
    if (typeof port !== 'number' || port === 0 || typeof host !== 'string') return []
    const address = `${host}:${port}`
    const first = taken.get(address)
    taken.set(address, first ?? name)
    if (first === undefined) return []
    const expected = `a port of its own, since ${first} has this one`
    return [{ pointer: `${pointer}/port`, expected, actual: String(port) }]
  })
}

/**
 * Returns a problem for each listener that other machines can reach without authentication, unless the configuration of
 * the listener allows this explicitly.
 */
export function openAddresses(listeners: readonly ListenerAddress[]): readonly Problem[] {
  return listeners.flatMap(({ name, pointer, part: { host = defaultHost, open }, authenticates }) =>
    authenticates || open === true || typeof host !== 'string' || isOwnAddress(host.toLowerCase())
      ? []
      : [
          {
            pointer: `${pointer}/host`,
            expected: `an address of this machine such as ${defaultHost}; or open: true beside it, when everyone who reaches ${name} may use it; or identities in \`access\`, where ${name} can check them`,
            actual: `${host}, which other machines reach without authentication`,
          },
        ],
  )
}
