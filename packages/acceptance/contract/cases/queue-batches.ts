import assert from 'node:assert/strict'
import { awsDialect } from '@signalbox/aws'
import { signalbox } from '@signalbox/core'
import { queuePlatformWith } from '@signalbox/platform-queue/testing/queue-platform'
import { queue } from '@signalbox/queue'
import { batchVerdict, type QueueEvent } from '@signalbox/queue/contract'
import { queueEvent } from '@signalbox/queue/testing'
import { breaks, type ContractCase, keeps, type Sides } from '../contract-case.ts'
import { copyOf } from '../copy-of.ts'
import { functionSetup } from '../function-setup.ts'
import { returning } from './queue-answers.ts'

/** Returns the cases for batches as a whole, and for their records with the names of AWS. */
export function batchRules(): readonly ContractCase[] {
  const { Records } = queueEvent({ bodies: ['a'] })
  return [
    keeps('batch.envelope', 'a list of records alone', {
      function: () => assert.rejects(quiet(copyOf(Records) as never), /a batch without its envelope/),
      platform: async () => assert.notEqual(await setup.refusal(Records, success), undefined),
    }),
    breaks('batch.envelope', 'the list in its envelope', {
      function: async () => assert.deepEqual(await quiet(copyOf({ Records }) as never), success),
      platform: async () => assert.equal(await setup.refusal({ Records }, success), undefined),
    }),
    keeps('batch.aws-lists', 'a function with the dialect aws', sendsLists('aws')),
    breaks('batch.aws-lists', 'a function of the contract', sendsLists(undefined)),
    keeps(
      'batch.returned-failures',
      'a list with an id',
      comesBackAfter(() => ({ batchItemFailures: [{ itemIdentifier: 'a' }] }), bodies),
    ),
    breaks(
      'batch.returned-failures',
      'an empty list',
      comesBackAfter(() => success, []),
    ),
  ]
}

const bodies = ['a', 'b', 'c']
const success = { batchItemFailures: [] }
const quiet = signalbox(queue({ onMessage: () => {} }))
const setup = functionSetup((_event, answer) => answer)

/** Returns checks of the records that a function gets: with the lists of AWS, or as the contract says. */
function sendsLists(dialect: 'aws' | undefined): Sides {
  const lists = dialect && { stringListValues: [], binaryListValues: [] }
  const check = ([plain, coloured]: readonly { readonly [field: string]: unknown }[]) => {
    assert.deepEqual(coloured!.messageAttributes, {
      colour: { ...lists, dataType: 'String', stringValue: 'red' },
    })
    assert.equal(plain!.md5OfMessageAttributes, dialect && null)
  }
  const colour = { DataType: 'String', StringValue: 'red' }
  return {
    function() {
      const event = queueEvent({ bodies: ['plain', 'coloured'] })
      const messageAttributes = { colour: { dataType: 'String', stringValue: 'red' } }
      const sent = { Records: [event.Records[0], { ...event.Records[1], messageAttributes }] }
      check((dialect ? (awsDialect.event(sent) as QueueEvent) : sent).Records as never)
    },
    async platform() {
      const work = { handler: () => success, ...(dialect && { dialect }) }
      await using queues = await queuePlatformWith({ work }, { function: 'work', batchWindow: 1 })
      const Entries = [
        { Id: '1', MessageBody: 'plain' },
        { Id: '2', MessageBody: 'coloured', MessageAttributes: { colour } },
      ]
      await queues.sqs.sendMessageBatch({ QueueUrl: queues.QueueUrl, Entries })
      await queues.pass(2)
      check(queues.events.flatMap(({ Records }) => Records) as never)
    },
  }
}

/** Returns checks that these messages fail, out of three, when `onMessage` returns this. */
function comesBackAfter(onMessage: () => unknown, expected: readonly string[]): Sides {
  const handler = signalbox(queue({ onMessage: onMessage as never, log: false }))
  return {
    async function() {
      const event = queueEvent({ bodies })
      const verdict = batchVerdict(JSON.stringify(await handler(copyOf(event))), event)
      const failed = verdict.kind === 'partial' ? verdict.failed : []
      const named = event.Records.filter(({ messageId }) => failed.includes(messageId))
      assert.deepEqual(
        named.map(({ body }) => body),
        expected,
      )
    },
    platform: async () => assert.deepEqual(await returning(handler as never), expected),
  }
}
