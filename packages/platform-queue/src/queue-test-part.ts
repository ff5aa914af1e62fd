import type { SourceContext, TestPart } from '@signalbox/platform-runtime'
import { testRoute } from '@signalbox/platform-runtime'
import { found, wholeNumber } from '@signalbox/platform-runtime/console'
import type { QueuesSettings } from './config/queues-part.ts'
import { consoleQueues } from './console/console-queues.ts'
import { createQueues } from './create-queues.ts'
import type { OpenQueues } from './open-queues.ts'

/** The maximum number of messages in one answer. */
const mostPeeked = 1000

/**
 * Queues in the test interface. Queues in other engines have their own tools.
 * @param isShared whether other platforms may use the same queues
 */
export function queueTestPart(
  settings: QueuesSettings,
  opened: () => OpenQueues | undefined,
  { clock, isShared }: Pick<SourceContext, 'clock'> & { readonly isShared: boolean },
): TestPart {
  const queues = consoleQueues(settings, opened, clock)
  return {
    name: 'queues',
    isShared,
    routes: [
      testRoute('GET', '/queues', {}, queues.list),
      testRoute(
        'GET',
        '/queues/{name}/messages',
        { after: wholeNumber, last: wholeNumber },
        async ({ params: { name }, fields: { after = 0, last = 100 } }) =>
          found(await queues.peek(name, { after, last: Math.min(last, mostPeeked) }), `queue ${name}`),
      ),
    ],
    async reset() {
      const { store, resetPollers, queueDeleted } = opened() ?? {}
      if (store?.clear === undefined) return
      await store.clear()
      const own = settings.queues.filter(({ engine }) => engine === undefined)
      const declared = new Set(own.flatMap(({ name, attributes }) => [name, attributes.deadLetter?.queue]))
      for (const name of await store.queueNames()) {
        if (!declared.has(name)) {
          await store.deleteQueue(name)
          continue
        }
        await store.setTags(name, {})
        const created = Object.keys((await store.attributes(name)).mappings)
        await store.setAttributes(name, { mappings: Object.fromEntries(created.map(each => [each, null])) })
      }
      await createQueues(settings.queues, store)
      await queueDeleted?.()
      resetPollers?.()
    },
  }
}
