import { nearest } from '@signalbox/codec'
import { knownSource, type Source, sources, sourcesOf, triggerNames } from '@signalbox/user-pool/contract'

/** What a sample can be asked for: a family, a trigger, or one of a trigger's sources. */
export const sampleNames: readonly string[] = [
  'queue',
  'queue-fifo',
  'mail-flow',
  'load-balancer',
  'load-balancer-multi-value',
  'user-pool',
  ...triggerNames,
  ...sources,
]

/**
 * A valid event, as the platform might send it.
 * @throws Error that names the nearest sample for a name that is none
 */
export async function sampleEvent(name: string): Promise<unknown> {
  switch (name) {
    case 'queue':
      return (await import('@signalbox/queue/testing')).queueEvent({
        bodies: [
          { id: '7', amount: 2 },
          { id: '8', amount: 1 },
        ],
      })
    case 'queue-fifo':
      return (await import('@signalbox/queue/testing')).fifoEvent([
        ['customer-1', { id: '7', amount: 2 }],
        ['customer-2', { id: '8', amount: 1 }],
      ])
    case 'mail-flow':
      return (await import('@signalbox/mail-flow/testing')).mailEvent()
    case 'load-balancer':
    case 'load-balancer-multi-value': {
      const { httpEvent } = await import('@signalbox/load-balancer/testing')
      return httpEvent('GET', '/orders/7?view=full', { multiValue: name !== 'load-balancer' })
    }
    default:
      return triggerSample(name === 'user-pool' ? 'PreSignUp_SignUp' : name)
  }
}

async function triggerSample(name: string): Promise<unknown> {
  const source: Source | undefined = knownSource(name)?.source ?? sourcesOf(name)[0]
  if (source === undefined) {
    const meant = nearest(name, sampleNames)
    throw new Error(
      `There is no sample ${JSON.stringify(name)}. ${
        meant === undefined
          ? 'There are queue, mail-flow, load-balancer, every trigger source, such as PreSignUp_SignUp, and what signalbox sample --list prints.'
          : `Did you mean ${meant}?`
      }`,
    )
  }
  return (await import('@signalbox/user-pool/testing')).triggerEvent(source)
}
