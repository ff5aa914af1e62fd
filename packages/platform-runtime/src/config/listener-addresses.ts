import { isObject, type Problem } from '@signalbox/codec'
import type { UncheckedObject } from './field-problems.ts'

/** The default address of a listener. Only this machine reaches it. */
export const defaultHost = '127.0.0.1'

/** The address that a part of a configuration names. */
export interface ListenerAddress {
  /** The name of the listener, such as `mail`. */
  readonly name: string
  /** The JSON pointer of the part. */
  readonly pointer: string
  readonly part: UncheckedObject
}

/** The listener of a top-level key. Empty when the value of the key is not an object. */
export function listenerAt(key: string, name: string, port: number, part: unknown): ListenerAddress[] {
  return isObject(part) ? [{ name, pointer: `/${key}`, part: { port, ...part } }] : []
}

/** Problems of listeners with the address of another listener. */
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
