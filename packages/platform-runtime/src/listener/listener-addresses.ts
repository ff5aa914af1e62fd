import { isObject, type Problem } from '@signalbox/codec'
import type { UncheckedObject } from '../fields/field-problems.ts'
import { isOwnAddress } from './own-host.ts'

/** The default address of a listener. Only this machine reaches it. */
export const defaultHost = '127.0.0.1'

/** The address of a listener in the configuration. */
export interface ListenerAddress {
  /** The name of the listener, such as `mail`. */
  readonly name: string
  /** The JSON pointer to the listener's part of the configuration. */
  readonly pointer: string
  readonly part: UncheckedObject
  /**
   * The clients that the listener serves: everyone by its nature (`public`), those with a key, once anything is not
   * public (`authenticated`), or each one that reaches it (`unauthenticated`).
   */
  readonly clients: 'public' | 'authenticated' | 'unauthenticated'
}

/** Returns the clients of a listener that checks the keys of `access` if the configuration has it. */
export function clientsOf({ access }: UncheckedObject): ListenerAddress['clients'] {
  return access === undefined ? 'unauthenticated' : 'authenticated'
}

/**
 * Returns the listener under a top-level key, in a list. The list is empty if the value of the key is not an object.
 */
export function listenerAt(
  key: string,
  name: string,
  port: number,
  part: unknown,
  clients: ListenerAddress['clients'],
): ListenerAddress[] {
  return isObject(part) ? [{ name, pointer: `/${key}`, part: { port, ...part }, clients }] : []
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
 * the listener allows this explicitly. A listener with a name, an issuer or an origin beyond this machine is reached
 * through a proxy, if not directly.
 */
export function openAddresses(listeners: readonly ListenerAddress[]): readonly Problem[] {
  return listeners.filter(isClosed).flatMap(({ name, pointer, part, clients }) => {
    const { host = defaultHost, names, issuer, origin } = part
    const beyond = (key: string, value: unknown, hostname: unknown, own: string) =>
      typeof hostname !== 'string' || isOwnAddress(hostname.toLowerCase().replace(/^\[(.*)\]$/, '$1'))
        ? []
        : [
            {
              pointer: `${pointer}/${key}`,
              expected: `${own}; or open: true beside it, when everyone who reaches ${name} may use it; or identities in \`access\`, where ${name} can check them`,
              actual: `${value}, which other machines reach without authentication`,
            },
          ]
    const ofHost = beyond('host', host, host, `an address of this machine such as ${defaultHost}`)
    if (clients === 'public') return ofHost
    const hostnameOf = (url: unknown) => URL.parse(String(url))?.hostname
    return [
      ...ofHost,
      ...(Array.isArray(names) ? names : []).flatMap((each: unknown, at) =>
        beyond(`names/${at}`, each, each, 'a name of this machine such as localhost'),
      ),
      ...beyond('issuer', issuer, hostnameOf(issuer), 'an issuer such as http://localhost:9331'),
      ...beyond('origin', origin, hostnameOf(origin), 'an origin such as http://localhost:9330'),
    ]
  })
}

/**
 * Returns the listeners that serve without a key what is not public, also when only this machine reaches them: a proxy
 * on this machine makes every client of the proxy a client of this machine.
 */
export function unauthenticatedListeners(listeners: readonly ListenerAddress[]): readonly ListenerAddress[] {
  return listeners.filter(each => each.clients === 'unauthenticated' && isClosed(each))
}

/** Returns the problems of `unauthenticatedListeners`, for a platform that refuses them. */
export function unauthenticatedProblems(listeners: readonly ListenerAddress[]): readonly Problem[] {
  return listeners.map(({ name, pointer }) => ({
    pointer,
    expected: `\`access\` in the configuration with the identities that may use ${name} (\`access: { identities: {} }\` admits no client), or \`open: true\` here when everyone who reaches it may use it without a key`,
    actual: 'without both: a proxy on this machine would let everyone in',
  }))
}

/** Returns the listeners whose `open: true` has no effect, because their clients need a key. */
export function needlesslyOpenListeners(listeners: readonly ListenerAddress[]): readonly ListenerAddress[] {
  return listeners.filter(({ clients, part }) => clients === 'authenticated' && part.open === true)
}

/**
 * Returns what an operator should know of a platform that starts.
 * @param unauthenticated what `unauthenticatedListeners` returns, or nothing when nobody is to be warned of them
 */
export function listenerNotices(
  unauthenticated: readonly ListenerAddress[],
  needlesslyOpen: readonly ListenerAddress[],
): readonly string[] {
  const names = (listeners: readonly ListenerAddress[]) => listeners.map(({ name }) => name).join(', ')
  return [
    ...(unauthenticated.length === 0
      ? []
      : [
          `Without \`access\`, every program on this machine may use ${names(unauthenticated)}. A proxy on this machine would let everyone in. \`signalbox start\` refuses this.`,
        ]),
    ...(needlesslyOpen.length === 0
      ? []
      : [
          `\`open: true\` has no effect for ${names(needlesslyOpen)}: with \`access\`, each client needs a key.`,
        ]),
  ]
}

/** Returns whether clients without a key may use a listener only from this machine, if at all. */
function isClosed({ clients, part }: ListenerAddress): boolean {
  return clients !== 'authenticated' && part.open !== true
}
