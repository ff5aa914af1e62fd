import { isObject, nearest, type Problem } from '@signalbox/codec'

/**
 * Returns the problem of a value that does not name a standard queue of the configuration. Undefined and malformed values
 * have none here.
 * @param queues the key `queues` of the configuration, which may be invalid
 */
export function failureDestinationProblems(
  name: unknown,
  pointer: string,
  queues: unknown,
): readonly Problem[] {
  if (typeof name !== 'string' || name === '') return []
  if (name.endsWith('.fifo')) return [{ pointer, expected: 'a standard queue', actual: name }]
  const known = isObject(queues) ? Object.keys(queues) : []
  if (known.includes(name)) return []
  const names = known.length === 0 ? 'a queue, but the configuration has none' : `one of ${known.join(', ')}`
  return [
    {
      pointer,
      expected: nearest(name, known) ?? names,
      actual: `${JSON.stringify(name)}, which is not a queue of this configuration`,
    },
  ]
}
