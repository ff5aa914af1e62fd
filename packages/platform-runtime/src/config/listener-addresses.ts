import { isObject, type Problem } from '@signalbox/codec'
import type { UncheckedObject } from './field-problems.ts'

/** The address that a listener has when nothing is said. Only this machine reaches it. */
export const defaultHost = '127.0.0.1'

/** Where a part of a configuration asks to listen. */
export interface ListenerAddress {
  /** What listens there, such as `mail`. */
  readonly name: string
  /** The JSON pointer of the part. */
  readonly pointer: string
  readonly part: UncheckedObject
}

/** The listener of a key that a configuration has once; none for anything that is not an object. */
export function listenerAt(key: string, name: string, port: number, part: unknown): ListenerAddress[] {
  return isObject(part) ? [{ name, pointer: `/${key}`, part: { port, ...part } }] : []
}

/** Listeners that ask for an address which another one has. */
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
