import type { DurableContext, DurablePromise } from '@aws/durable-execution-sdk-js'
import type { MessageEnd } from '../observer.ts'
import { within } from './current.ts'

/** The context of one message, which waits until the message is started. */
interface MessageContext {
  readonly start: (run: () => Promise<MessageEnd>) => void
  readonly ended: DurablePromise<MessageEnd>
}

/**
 * Gives each message of a batch a child context, so that the steps of messages that run concurrently keep their order. The
 * contexts are made in the order of the batch, before any message runs, because the order in which messages start may differ
 * between invocations. The handler of a message that has ended does not run again.
 */
export function messageContexts(context: DurableContext, event: unknown) {
  let contexts: ReadonlyMap<object, MessageContext> | undefined
  return async (record: object, run: () => Promise<MessageEnd>): Promise<MessageEnd> => {
    contexts ??= new Map(
      batchOf(event, record).map((each, index) => [each, waiting(context, `message ${index + 1}`)]),
    )
    const own = contexts.get(record) ?? waiting(context, 'message')
    let thrown: { readonly reason: unknown } | undefined
    own.start(async () => {
      try {
        return await run()
      } catch (reason) {
        thrown = { reason }
        throw reason
      }
    })
    try {
      return await own.ended
    } catch (error) {
      // The SDK throws an error of its own, whose class is the same in each invocation. The first one has the real error.
      throw thrown === undefined ? error : thrown.reason
    }
  }
}

/** Returns the records of the list of the event that contains one. */
function batchOf(event: unknown, record: object): readonly object[] {
  const lists = Object.values(Object(event)) as unknown[]
  return lists.filter(each => Array.isArray(each) && each.includes(record)).flat() as object[]
}

function waiting(context: DurableContext, name: string): MessageContext {
  let start!: MessageContext['start']
  const started = new Promise<() => Promise<MessageEnd>>(resolve => {
    start = resolve
  })
  const ended = context.runInChildContext(name, async child => {
    const run = await started
    return within(child, run)
  })
  return { start, ended }
}
