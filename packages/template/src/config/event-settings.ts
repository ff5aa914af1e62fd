import type { Properties } from '../resources/properties.ts'
import { functionNamed, queueNamed } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'
import type { OptionPlaces } from './option-places.ts'

/**
 * Returns what happens with asynchronous events that fail, by the names of functions. A function has one version here, so that
 * the first settings count for all its events.
 * @param here the names of the functions and queues that are here
 */
export function eventSettingsOf(
  configs: readonly Resource[],
  here: { readonly functions: ReadonlySet<string>; readonly queues: ReadonlySet<string> },
  places: OptionPlaces,
  warnings: Warnings,
): { readonly [name: string]: Part } {
  const found = new Map<string, Part>()
  for (const { id, properties } of configs) {
    const name = functionNamed(properties.text('FunctionName') ?? '')
    properties.text('Qualifier')
    const destinations = properties.object('DestinationConfig')
    if (destinations?.object('OnSuccess')?.entries().length)
      warnings.missing(`${id} sends the results of events to no destination here.`)
    const settings = defined({
      maximumRetryAttempts: properties.number('MaximumRetryAttempts'),
      maximumEventAge: properties.number('MaximumEventAgeInSeconds'),
      onFailure: queueOf(destinations?.object('OnFailure'), id, here.queues, warnings),
    })
    if (found.has(name))
      warnings.missing(`${id} has no effect: other settings are for the events of ${name} already.`)
    else if (here.functions.has(name)) {
      found.set(name, settings)
      places.add('eventSettings', ['invoke', 'functions', name], properties.place)
    }
  }
  return Object.fromEntries(found)
}

/** Returns the queue of a destination, or undefined with a warning for another destination. */
function queueOf(
  destination: Properties | undefined,
  id: string,
  queues: ReadonlySet<string>,
  warnings: Warnings,
): string | undefined {
  if (destination === undefined) return undefined
  destination.text('Type')
  const queue = queueNamed(destination.text('Destination') ?? '')
  if (queue !== undefined && queues.has(queue)) return queue
  warnings.missing(`${id} sends failed events nowhere: their destination is not a queue of this template.`)
  return undefined
}
