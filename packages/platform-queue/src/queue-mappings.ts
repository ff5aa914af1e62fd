import {
  type MappingChange,
  MappingRefusedError,
  type OpenContext,
  type QueueDelivery,
  type QueueMapping,
  type QueueSender,
  type SourceContext,
} from '@signalbox/platform-runtime'
import { differingSettings, mappingProblem } from './config/mapping-problem.ts'
import { consumerSettings, type QueueSettings, requiredVisibilityTimeout } from './config/queue-settings.ts'
import type { QueuesSettings } from './config/queues-part.ts'
import type { ConsumerSettings } from './poller/consumer.ts'
import { type Poller, poller } from './poller/poller.ts'
import { queueOfResourceName, sqsResourceName } from './resource-name.ts'
import type { OwnQueueStore } from './store/own-queue-store.ts'
import type { StoredMapping, StoredMappings } from './store/queue-attributes.ts'
import type { QueueStore } from './store/queue-store.ts'

/** The functions that get the messages of queues: those of the configuration, and those of clients of the API. */
export interface QueueMappings extends Pick<QueueSender, 'mappings' | 'changeMapping'> {
  /** Starts the pollers. */
  readonly start: () => Promise<void>
  /** Ends the mappings of a queue that is gone. */
  readonly queueDeleted: () => Promise<void>
  /** Forgets that functions failed, and the delays that follow from it. */
  readonly reset: () => void
  readonly stop: (grace: number) => Promise<void>
}

/** Milliseconds after which a platform looks for mappings that another platform has changed. */
const lookInterval = 2_000

/** A poller that runs, and what it was made of. */
interface Running {
  readonly poller: Poller
  readonly settings: string
}

/**
 * Runs a poller for each queue with functions. The mappings of clients are kept with the attributes of their queue, so that all
 * platforms of a database have them. A mapping of the configuration can be paused, and nothing else of it changes.
 * @param isShared whether other platforms may change mappings
 * @param storeOf returns the store of a queue
 * @param idleWait the wait of a receive request, if it differs from the default
 */
export function queueMappings(
  { queues, location, functions }: QueuesSettings,
  store: OwnQueueStore,
  isShared: boolean,
  storeOf: (queue: string) => QueueStore,
  idleWait: number | undefined,
  context: SourceContext & Pick<OpenContext, 'services'>,
): QueueMappings {
  const { clock, machineClock, notice } = context
  const configured = new Map(queues.map(each => [each.name, each]))
  const running = new Map<string, Running>()
  /** The pollers that are told to stop, while their last batches run. */
  const ending = new Set<Poller>()
  /** The changes that have no effect yet, by queue and function. */
  const pending = new Map<string, QueueMapping>()
  let turn: Promise<unknown> = Promise.resolve()
  let cancelLook = () => {}
  let isStopped = false

  /** Runs one change after the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  const storedOf = async (queue: string): Promise<StoredMappings> =>
    (await store.attributes(queue)).mappings as StoredMappings

  /** Returns the mappings of clients by queue. */
  async function allStored(): Promise<ReadonlyMap<string, StoredMappings>> {
    const names = await store.queueNames()
    const all = await Promise.all(
      names.map(
        async name =>
          [
            name,
            await storedOf(name).catch((error: { readonly code?: unknown }): StoredMappings => {
              // The queue was deleted since its name was read.
              if (error.code === 'QUEUE_NOT_FOUND') return {}
              throw error
            }),
          ] as const,
      ),
    )
    return new Map(all.filter(([, mappings]) => Object.keys(mappings).length > 0))
  }

  /** Returns whether mappings of clients apply to a queue. Their functions get batches. */
  const takesClients = (queue: QueueSettings | undefined) => queue?.executionPerMessage === undefined

  /** Returns the functions of a queue that are enabled. */
  function enabledOf(queue: QueueSettings | undefined, stored: StoredMappings): readonly ConsumerSettings[] {
    const own = queue?.functions ?? []
    const added = Object.entries(stored).filter(
      ([name, each]) =>
        each.isEnabled && takesClients(queue) && !own.some(({ functionName }) => functionName === name),
    )
    return [
      ...own.filter(({ functionName }) => stored[functionName]?.isEnabled !== false),
      ...added.flatMap(([name, { delivery }]) => {
        const callee = functions[name]
        if (callee === undefined || delivery === undefined) return []
        const { batchWindow: _, filter, ...rest } = delivery
        const entry = { ...rest, function: name, ...(filter && { filter: filter as never }) }
        return [consumerSettings(entry, callee)]
      }),
    ]
  }

  /** Stops a poller. Returns when its last batches have ended. */
  async function endOf(ended: Poller): Promise<void> {
    ending.add(ended)
    await ended.stop(Number.MAX_SAFE_INTEGER)
    ending.delete(ended)
  }

  /** Makes the poller of a queue as the configuration and the store say. Returns the ends of the old one. */
  async function apply(name: string, stored: StoredMappings): Promise<readonly Promise<void>[]> {
    const queue = configured.get(name)
    const enabled = enabledOf(queue, stored)
    const windows = Object.values(stored).map(({ delivery }) => delivery?.batchWindow ?? 0)
    const isOwn = (queue?.functions.length ?? 0) > 0
    const batchWindow = isOwn ? queue!.batchWindow : Math.max(0, ...windows)
    const base =
      isOwn || enabled.length === 0
        ? queue?.visibilityTimeout
        : (await store.attributes(name)).visibilityTimeout
    // The attributes of the queue and the time-outs of the functions may have changed since the mapping was made.
    const callees = enabled.map(({ functionName }) => functions[functionName])
    const needed = requiredVisibilityTimeout({ batchWindow: batchWindow / 1000 }, callees) * 1000
    const how = {
      functions: enabled,
      batchWindow,
      visibilityTimeout: base === undefined ? undefined : Math.max(base, needed),
      executionPerMessage: queue?.executionPerMessage,
    }
    const settings = JSON.stringify(how)
    const before = running.get(name)
    if (before?.settings === settings || isStopped) return []
    running.delete(name)
    const ended = before && endOf(before.poller)
    if (enabled.length === 0) return ended === undefined ? [] : [ended]
    const made = poller(
      {
        ...{ queue: name, location, ...how, visibilityTimeout: how.visibilityTimeout! },
        ...(idleWait !== undefined && queue?.engine === undefined && { idleWait }),
      },
      storeOf(name),
      context,
    )
    running.set(name, { poller: made, settings })
    made.start()
    return ended === undefined ? [] : [ended]
  }

  /** Makes all pollers as the configuration and the store say. */
  async function applyAll(): Promise<void> {
    const stored = await allStored()
    for (const name of new Set([...configured.keys(), ...stored.keys(), ...running.keys()]))
      await apply(name, stored.get(name) ?? {})
  }

  /** Looks for the changes of other platforms again and again. */
  function watch(): void {
    cancelLook = machineClock.after(lookInterval, () => {
      void inTurn(applyAll)
        .catch(error => notice(`The functions of queues could not be read: ${String(error)}`))
        .finally(() => {
          if (!isStopped) watch()
        })
    })
  }

  const shown = (
    queue: string,
    functionName: string,
    delivery: QueueDelivery,
    stored: StoredMapping | undefined,
    isConfigured: boolean,
  ): QueueMapping => ({
    ...{ queueArn: sqsResourceName(queue, location), functionName, ...delivery, isConfigured },
    // The configuration may have lost the function since.
    state:
      stored?.isEnabled === false ||
      functions[functionName] === undefined ||
      !(isConfigured || takesClients(configured.get(queue)))
        ? 'Disabled'
        : 'Enabled',
    modifiedAt: stored && clock.wall(stored.modifiedAt),
  })

  function mappingsOf(queue: string, stored: StoredMappings): readonly QueueMapping[] {
    const { functions: own = [], batchWindow = 0 } = configured.get(queue) ?? {}
    const ofConfiguration = own.map(({ functionName, filter = [], ...each }) =>
      shown(queue, functionName, { ...inSeconds(batchWindow), ...each, filter }, stored[functionName], true),
    )
    const added = Object.entries(stored).flatMap(([name, each]) => {
      if (each.delivery === undefined || own.some(({ functionName }) => functionName === name)) return []
      const { batchWindow: window, filter = [], maximumConcurrency, ...rest } = each.delivery
      return [shown(queue, name, { ...rest, maximumConcurrency, filter, ...inSeconds(window) }, each, false)]
    })
    return [...ofConfiguration, ...added]
  }

  async function mappings(): Promise<readonly QueueMapping[]> {
    const stored = await allStored()
    const names = new Set([...configured.keys(), ...stored.keys()])
    const all = [...names].flatMap(name => mappingsOf(name, stored.get(name) ?? {}))
    const open = [...pending.values()]
    const isSame = (one: QueueMapping) => (other: QueueMapping) =>
      one.queueArn === other.queueArn && one.functionName === other.functionName
    return [
      ...all.map(each => open.find(isSame(each)) ?? each),
      ...open.filter(each => !all.some(isSame(each))),
    ].toSorted((one, other) => Number(other.isConfigured) - Number(one.isConfigured))
  }

  async function change(
    queueArn: string,
    functionName: string,
    wanted: MappingChange | undefined,
  ): Promise<QueueMapping> {
    const queue = queueOfResourceName(queueArn)
    const names = await store.queueNames()
    if (queue === undefined || queueArn !== sqsResourceName(queue, location) || !names.includes(queue))
      throw new MappingRefusedError(
        configured.get(queue ?? '')?.engine === undefined
          ? `The queue ${queueArn} does not exist.`
          : `Another engine keeps the queue ${queue}: set queues.${queue}.function in the configuration.`,
      )
    const stored = await storedOf(queue)
    const before = mappingsOf(queue, stored).find(each => each.functionName === functionName)
    const next = before?.isConfigured
      ? pausedOrNot(queue, before, wanted)
      : await created(queue, functionName, before, stored, wanted)
    await store.setAttributes(queue, { mappings: { [functionName]: next ?? null } })
    const after = { ...stored, [functionName]: next }
    const now = mappingsOf(queue, defined(after)).find(each => each.functionName === functionName) ?? before!
    const key = `${queueArn} ${functionName}`
    const open: QueueMapping = { ...now, state: changing(before, wanted) }
    pending.set(key, open)
    const ends = await apply(queue, await storedOf(queue))
    void Promise.all(ends).finally(() => {
      if (pending.get(key) === open) pending.delete(key)
    })
    return open
  }

  /** Returns what is stored about a mapping of the configuration. */
  function pausedOrNot(
    queue: string,
    before: QueueMapping,
    wanted: MappingChange | undefined,
  ): StoredMapping | undefined {
    const where = `The configuration of the platform has this mapping: change queues.${queue} there`
    if (wanted === undefined)
      throw new MappingRefusedError(`${where}. It cannot be deleted here, but disabled.`)
    const [other] = differingSettings(before, wanted)
    if (other !== undefined)
      throw new MappingRefusedError(`${where}. Only Enabled can be changed here, not ${other}.`)
    const isEnabled = wanted.isEnabled ?? before.state !== 'Disabled'
    return isEnabled ? undefined : { isEnabled, modifiedAt: clock.now() }
  }

  /** Returns what is stored about a mapping of a client. */
  async function created(
    queue: string,
    functionName: string,
    before: QueueMapping | undefined,
    stored: StoredMappings,
    wanted: MappingChange | undefined,
  ): Promise<StoredMapping | undefined> {
    if (wanted === undefined) return undefined
    if (configured.get(queue)?.executionPerMessage !== undefined)
      throw new MappingRefusedError(
        `The configuration starts an execution for each message of the queue ${queue}: change queues.${queue} there.`,
      )
    const given = (key: keyof QueueDelivery) => wanted[key] ?? before?.[key]
    const delivery = {
      batchSize: (given('batchSize') as number | undefined) ?? 10,
      batchWindow: (given('batchWindow') as number | undefined) ?? 0,
      filter: (given('filter') as readonly object[] | undefined) ?? [],
      // A concurrency of 0 removes the limit.
      maximumConcurrency: (given('maximumConcurrency') as number | undefined) || undefined,
      reportBatchItemFailures: given('reportBatchItemFailures') === true,
    }
    const { visibilityTimeout } = await store.attributes(queue)
    const problem = mappingProblem(queue, functionName, delivery, visibilityTimeout, functions)
    if (problem !== undefined) throw new MappingRefusedError(problem)
    const others = mappingsOf(queue, stored).filter(each => each.functionName !== functionName)
    const [window] = others.map(each => each.batchWindow).filter(each => each !== delivery.batchWindow)
    if (window !== undefined)
      throw new MappingRefusedError(
        `MaximumBatchingWindowInSeconds: all functions of a queue have the same window here, which is ${window}.`,
      )
    const { filter, maximumConcurrency, batchWindow, ...rest } = delivery
    return {
      isEnabled: wanted.isEnabled ?? before?.state !== 'Disabled',
      delivery: {
        ...{ ...rest, batchWindow: batchWindow * 1000 },
        ...(maximumConcurrency !== undefined && { maximumConcurrency }),
        ...(filter.length > 0 && { filter }),
      },
      modifiedAt: clock.now(),
    }
  }

  return {
    mappings,
    changeMapping: (...wanted) => inTurn(() => change(...wanted)),
    async start() {
      await inTurn(applyAll)
      for (const { queueArn, functionName, state, isConfigured } of await mappings()) {
        const queue = queueOfResourceName(queueArn)!
        if (state !== 'Disabled' || functions[functionName] === undefined) continue
        if (isConfigured)
          notice(
            `A client of the Invoke API has paused ${functionName}: it gets no messages of the queue ${queue} until a client enables the mapping.`,
          )
        else if (!takesClients(configured.get(queue)))
          notice(
            `A client of the Invoke API has mapped ${functionName} to the queue ${queue}. The mapping has no effect, because the configuration starts an execution for each message.`,
          )
      }
      if (isShared) watch()
    },
    queueDeleted: () => inTurn(applyAll),
    reset() {
      for (const each of running.values()) each.poller.reset()
    },
    async stop(grace) {
      isStopped = true
      cancelLook()
      const all = [...ending, ...[...running.values()].map(each => each.poller)]
      await Promise.all(all.map(each => each.stop(grace)))
    },
  }
}

const inSeconds = (batchWindow: number) => ({ batchWindow: batchWindow / 1000 })

function defined(mappings: { readonly [name: string]: StoredMapping | undefined }): StoredMappings {
  return Object.fromEntries(
    Object.entries(mappings).filter(([, each]) => each !== undefined),
  ) as StoredMappings
}

/** Returns the state of a mapping while a change has no effect yet. */
function changing(
  before: QueueMapping | undefined,
  wanted: MappingChange | undefined,
): QueueMapping['state'] {
  if (wanted === undefined) return 'Deleting'
  if (before === undefined) return 'Creating'
  const wasEnabled = before.state !== 'Disabled'
  if (wanted.isEnabled === undefined || wanted.isEnabled === wasEnabled) return 'Updating'
  return wanted.isEnabled ? 'Enabling' : 'Disabling'
}
