import type { Problem } from '@signalbox/codec'
import { below, isPart, type Part } from './part-problems.ts'

/** Ports of the listeners of which a configuration has one at most. */
export const defaultPorts = { queueListener: 9324, mail: 2525, control: 9330 } as const

export const defaultHost = '127.0.0.1'

interface Listener {
  readonly name: string
  readonly pointer: string
  readonly part: Part
}

/** Listeners of a configuration that want an address which another one has. */
export function sharedAddresses(config: Part): readonly Problem[] {
  const taken = new Map<string, string>()
  return listeners(config).flatMap(({ name, pointer, part: { host = defaultHost, port } }) => {
    if (typeof port !== 'number' || port === 0 || typeof host !== 'string') return []
    const address = `${host}:${port}`
    const first = taken.get(address)
    taken.set(address, first ?? name)
    if (first === undefined) return []
    const expected = `a port of its own, since ${first} has this one`
    return [{ pointer: `${pointer}/port`, expected, actual: String(port) }]
  })
}

function listeners(config: Part): readonly Listener[] {
  const { loadBalancers, queues, queueListener, mail, control } = config
  const single = (key: keyof typeof defaultPorts, name: string, part: unknown): Listener[] =>
    isPart(part) ? [{ name, pointer: `/${key}`, part: { port: defaultPorts[key], ...part } }] : []
  return [
    ...(isPart(loadBalancers)
      ? Object.entries(loadBalancers).flatMap(([name, part]) =>
          isPart(part) ? [{ name, pointer: below('/loadBalancers', name), part }] : [],
        )
      : []),
    ...single(
      'queueListener',
      'the listener of the queues',
      queueListener ?? (ownQueues(queues) ? {} : undefined),
    ),
    ...single('mail', 'mail', mail),
    ...single('control', 'the control address', control ?? (isPart(mail) ? {} : undefined)),
  ]
}

function ownQueues(queues: unknown): boolean {
  return isPart(queues) && Object.values(queues).some(queue => isPart(queue) && queue.engine === undefined)
}
