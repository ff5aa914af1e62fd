import { invalidValue, QueueStoreError } from '../../store/queue-store-error.ts'
import type { Tags } from '../../store/sqlite/queue-rows.ts'

/** Tags of a queue, and characters of a key and of a value, as on stock services. */
const tagLimit = 50
const keyLimit = 128
const valueLimit = 256

/**
 * The tags of a queue with more of them.
 * @throws QueueStoreError when one of them cannot be a tag, or there are too many
 */
export function withTags(before: Tags, more: Tags): Tags {
  for (const [key, value] of Object.entries(more)) {
    if (key === '' || key.length > keyLimit || /^aws:/i.test(key))
      throw invalidValue(
        key,
        'TagKey',
        `A key has 1 to ${keyLimit} characters, and does not begin with aws:.`,
      )
    if (value.length > valueLimit)
      throw invalidValue(value, 'TagValue', `A value has at most ${valueLimit} characters.`)
  }
  const after = Object.fromEntries([...Object.entries(before), ...Object.entries(more)])
  const count = Object.keys(after).length
  if (count > tagLimit)
    throw new QueueStoreError(
      'INVALID_PARAMETER',
      `Too many tags for the queue: ${count}. The maximum is ${tagLimit}.`,
    )
  return after
}

/** The tags of a queue without some, which it may have or not. */
export function withoutTags(before: Tags, keys: readonly string[]): Tags {
  return Object.fromEntries(Object.entries(before).filter(([key]) => !keys.includes(key)))
}
