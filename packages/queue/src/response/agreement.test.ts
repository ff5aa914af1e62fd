import { describe, expect, it } from '@jest/globals'
import type { QueueEvent } from '../contract/index.ts'
import { queueEvent } from '../testing/index.ts'
import { compareSides, fuzz } from './agreement.fuzz.ts'

class FailedRecords {
  readonly #failed: readonly string[]
  constructor(failed: readonly string[]) {
    this.#failed = failed
  }
  get batchItemFailures() {
    return this.#failed.map(itemIdentifier => ({ itemIdentifier }))
  }
}

const idOf = ({ Records }: QueueEvent) => Records[0]!.messageId
const listOf = (event: QueueEvent) => [{ itemIdentifier: idOf(event) }]

describe('partialFailures() and batchVerdict()', () => {
  it.each<readonly [string, (event: QueueEvent) => unknown, string]>([
    ['agree on a list of failures', event => ({ batchItemFailures: listOf(event) }), 'the same'],
    ['agree on an id that is not in the batch', () => ['unknown'], 'refused by both'],
    [
      'differ on an instance whose list is a getter, because its JSON is {}',
      event => new FailedRecords([idOf(event)]),
      'what JSON does not say',
    ],
  ])('%s', async (_, answer, expected) => {
    const event = queueEvent({ bodies: ['a', 'b'] })
    expect(await compareSides(answer, event)).toBe(expected)
  })

  it('agree on any response that JSON represents fully', async () => {
    expect(await fuzz(500)).toContain('the same')
  })
})
