import type { QueueEvent } from '../contract/event.ts'
import type { Fields } from '../contract/field.ts'
import { messageAttributeFields, recordFields, systemAttributeFields } from '../contract/record.ts'

/** A change that breaks exactly one rule of the contract. */
export interface Mutator<Value> {
  /** Describes the fault in the copy, such as `no messageId`. */
  readonly name: string
  /** The JSON pointer of the broken field. */
  readonly pointer: string
  /** Returns a copy that breaks the rule. */
  readonly mutate: (value: Value) => unknown
}

const absent = Symbol('nothing')

function mutator(name: string, pointer: string, value: unknown): Mutator<QueueEvent> {
  return {
    name,
    pointer,
    mutate(event) {
      const copy: unknown = structuredClone(event)
      const keys = pointer.split('/').slice(1)
      const last = keys.pop()!
      let parent = copy as Record<string, unknown>
      for (const key of keys) {
        parent[key] ??= { dataType: 'String' }
        parent = parent[key] as Record<string, unknown>
      }
      if (value === absent) delete parent[last]
      else parent[last] = value
      return copy
    },
  }
}

const first = '/Records/0'

/** Returns mutators that remove fields, set them to null, or give them a type that no platform sends. */
function changesOf(where: string, fields: Fields): Mutator<QueueEvent>[] {
  return Object.entries(fields).flatMap(([key, { required }]) => {
    const pointer = `${where}/${key}`
    const wrongType = mutator(`${key} that is a list of lists`, pointer, [[]])
    if (!required) return [wrongType]
    return [mutator(`no ${key}`, pointer, absent), mutator(`${key} that is null`, pointer, null), wrongType]
  })
}

const digits = ['ApproximateReceiveCount', 'SentTimestamp', 'ApproximateFirstReceiveTimestamp']

/**
 * A mutator for every rule of a batch. A mutator whose pointer begins with `/Records/0` needs a batch with a record.
 * The normalizer repairs two of the faults: a missing and a null `messageAttributes`.
 */
export const queueEventMutators: readonly Mutator<QueueEvent>[] = [
  mutator('a missing "Records"', '/Records', absent),
  mutator('Records that are null', '/Records', null),
  mutator('Records that are not a list', '/Records', { 0: {} }),
  mutator('a record that is null', first, null),
  mutator('a record that is text', first, 'a record'),
  ...changesOf(first, recordFields),
  mutator('messageId that is empty', `${first}/messageId`, ''),
  mutator('the eventSource of another service', `${first}/eventSource`, 'cloud:topic'),
  ...changesOf(`${first}/attributes`, systemAttributeFields),
  ...digits.flatMap(key => [
    mutator(`${key} that is empty`, `${first}/attributes/${key}`, ''),
    mutator(`${key} that is not an integer`, `${first}/attributes/${key}`, '1.5'),
  ]),
  mutator('a message attribute that is text', `${first}/messageAttributes/colour`, 'red'),
  ...changesOf(`${first}/messageAttributes/colour`, messageAttributeFields),
]
