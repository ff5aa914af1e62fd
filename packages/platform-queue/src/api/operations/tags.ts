import type { Tags } from '../../store/own-queue-store.ts'
import { invalidValue, QueueStoreError } from '../../store/queue-store-error.ts'

/** The maximum number of tags of a queue, as on AWS. */
const tagLimit = 50
/** The maximum number of characters of a key, as on AWS. */
const keyLimit = 128
/** The maximum number of characters of a value, as on AWS. */
const valueLimit = 256

/**
 * Adds tags.
 * @throws QueueStoreError for an invalid tag, and for too many tags
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

/**
 * Removes tags. Unknown keys are ignored.
 * @throws QueueStoreError for no key, and for a key that no tag can have
 */
export function withoutTags(before: Tags, keys: readonly string[]): Tags {
  if (keys.length === 0 || keys.some(key => key === '' || key.length > keyLimit))
    throw new QueueStoreError(
      'INVALID_PARAMETER',
      `Tag keys must be between 1 and ${keyLimit} characters in length.`,
    )
  return Object.fromEntries(Object.entries(before).filter(([key]) => !keys.includes(key)))
}
