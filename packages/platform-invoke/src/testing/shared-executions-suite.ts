import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { systemRandom } from '@signalbox/platform-runtime'
import type { ClaimedWork } from '@signalbox/platform-runtime/work'
import { openExecutions } from '../executions/executions.ts'
import type { OperationUpdate } from '../executions/inputs.ts'
import type { NewExecution } from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import type { ExecutionStore } from '../store/execution-store.ts'

/** Two stores of the same executions. Their time is the time that their callers give. */
export interface SharedExecutions {
  readonly stores: readonly [ExecutionStore, ExecutionStore]
  /**
   * Stops the next change of the first store between its reads, of which there is a number, and its write. Absent for an
   * engine in which nothing can happen between them.
   */
  readonly holdWrite?: (reads: number) => { readonly isHeld: Promise<void>; readonly write: () => void }
  /** Lets others claim work that the first store has claimed. */
  readonly loseClaim: (work: ClaimedWork) => Promise<void>
  /** Closes both stores and deletes their executions. */
  readonly end: () => Promise<void>
}

const settled = <T>(promise: Promise<T>): Promise<T | string> =>
  promise.catch((error: unknown) => String(error))

/**
 * The shared tests of two platforms that believe they run the same execution, which every storage engine must pass.
 * @param engine the name of the engine
 * @param open opens the stores without executions
 */
export function sharedExecutionsSuite(engine: string, open: () => Promise<SharedExecutions>): void {
  const now = 1000
  const wanted: NewExecution = {
    ...{ id: 'one', functionName: 'order', name: 'a', input: '{}', tenantId: undefined, trace: undefined },
    ...{ timeout: 60_000, retention: 5000, parent: undefined },
  }
  const step = (Id: string, Payload: string): OperationUpdate => ({
    ...{ Id, Type: 'STEP', Action: 'SUCCEED', Payload },
  })
  const checkpoint = (Payload: string, ClientToken?: string) => ({
    ...{ CheckpointToken: 'token', Updates: [step('s', Payload), step(`only-${Payload}`, Payload)] },
    ...(ClientToken !== undefined && { ClientToken }),
  })
  const refused = 'InvalidChangeError: Invalid checkpoint token'

  describe(`two platforms on one ${engine} database`, () => {
    let opened: SharedExecutions
    let first: ReturnType<typeof box>
    let second: ReturnType<typeof box>
    const box = (store: ExecutionStore) => {
      const context = { clock: manualClock(now), machineClock: manualClock(), random: systemRandom }
      return { store, context, executions: openExecutions([], store, context as never, true) }
    }
    beforeEach(async () => {
      opened = await open()
      first = box(opened.stores[0])
      second = box(opened.stores[1])
      await first.store.start(wanted, now)
    })
    afterEach(async () => {
      await Promise.all([first, second].map(({ executions }) => executions.stop(0)))
      await opened.end()
    })

    const change = (store: ExecutionStore, work: (draft: ExecutionChange) => void, at = now) =>
      store.change(
        'one',
        {},
        draft => {
          work(draft)
          return { result: undefined }
        },
        at,
      )
    const giveToken = () =>
      change(first.store, ({ execution }) => void Object.assign(execution, { token: 'token', seen: 1 }))

    /** Lets the second platform do its whole work after the first one has read, and before it writes. */
    async function between<A, B>(work: () => Promise<A>, whole: () => Promise<B>, reads = 1) {
      const held = opened.holdWrite?.(reads)
      if (held === undefined) {
        const other = await settled(whole())
        return [await settled(work()), other] as const
      }
      const outcome = settled(work())
      await held.isHeld
      const other = await settled(whole())
      held.write()
      return [await outcome, other] as const
    }

    async function shown() {
      const { operations } = await second.store.operations('one', { after: 0, limit: 99, bytes: 1e9 })
      const page = { after: undefined, limit: 99, bytes: 1e9, newestFirst: false }
      const { events } = await first.store.history('one', page)
      return {
        operations: operations.map(({ number, id, payload }) => `${number} ${id}: ${payload}`),
        events: events.map(({ EventId, EventType }) => `${EventId} ${EventType}`),
        execution: await first.store.read('one'),
      }
    }

    it('of two checkpoints with the same token, the first that is written wins, and the other changes nothing', async () => {
      await giveToken()
      const [late, early] = await between(
        () => first.executions.checkpoint('one', checkpoint('late')),
        () => second.executions.checkpoint('one', checkpoint('early')),
      )
      expect(late).toBe(refused)
      const { token } = early as { readonly token: string }
      const after = await shown()
      expect(after.operations).toEqual(['1 s: early', '2 only-early: early'])
      expect(after.events).toEqual(['1 ExecutionStarted', '2 StepSucceeded', '3 StepSucceeded'])
      expect(after.execution).toMatchObject({ token, operations: 3, events: 3, changes: 5 })
      // Only the token of the answer is good for the next one, on either platform.
      expect(await settled(second.executions.checkpoint('one', checkpoint('again')))).toBe(refused)
      const next = { CheckpointToken: token, Updates: [step('next', '1')] }
      expect(await first.executions.checkpoint('one', next)).toMatchObject({ operations: [{ id: 'next' }] })
    })

    it('a checkpoint that a client repeats at the other platform is made once, and both get the same answer', async () => {
      await giveToken()
      const [late, early] = await between(
        () => first.executions.checkpoint('one', checkpoint('same', 'call 1')),
        () => second.executions.checkpoint('one', checkpoint('same', 'call 1')),
      )
      expect(late).toEqual(early)
      expect(early).toMatchObject({ operations: [{ id: 's' }, { id: 'only-same' }] })
      expect((await shown()).execution).toMatchObject({ operations: 3, events: 3, changes: 5 })
    })

    it('a checkpoint does not undo what the other platform writes meanwhile, and answers with it', async () => {
      await giveToken()
      const [mine, other] = await between(
        () => first.executions.checkpoint('one', checkpoint('mine')),
        () =>
          change(second.store, draft => {
            draft.add({ id: 'outside', type: 'CALLBACK', status: 'SUCCEEDED' })
            draft.execution.changedOutside = draft.execution.changes
          }),
      )
      expect(other).toMatchObject({ execution: { operations: 2 } })
      const { operations } = mine as { readonly operations: readonly { readonly id: string }[] }
      expect(operations.map(({ id }) => id)).toEqual(['outside', 's', 'only-mine'])
      expect((await shown()).operations.map(text => text.split(':')[0])).toEqual([
        '1 outside',
        '2 s',
        '3 only-mine',
      ])
    })

    it('the end of an invocation does not lose what the other platform has made due', async () => {
      const [work] = (await first.store.claim('order', now, 1)).work
      await change(first.store, draft => draft.record({ EventType: 'InvocationCompleted' }, {}))
      await between(
        () =>
          first.store.change('one', { claim: work! }, () => ({ result: undefined, claim: 'wait' }), now + 1),
        () =>
          change(
            second.store,
            ({ execution }) => {
              execution.changes++
              execution.changedOutside = execution.changes
            },
            now + 1,
          ),
      )
      expect((await first.store.claim('order', now + 1, 9)).work).toMatchObject([{ key: 'one' }])
    })

    it('a platform whose claim was lost before it writes changes nothing', async () => {
      const [work] = (await first.store.claim('order', now, 1)).work
      const [late] = await between(
        () =>
          first.store.change(
            'one',
            { claim: work! },
            draft => {
              draft.add({ id: 'late', type: 'STEP', status: 'SUCCEEDED' })
              return { result: undefined, claim: 'finish' }
            },
            now,
          ),
        async () => {
          await opened.loseClaim(work!)
          return second.store.claim('order', now, 1)
        },
      )
      expect(late).toBeUndefined()
      expect((await shown()).operations).toEqual([])
      expect((await second.store.counts()).get('order')).toBe(1)
    })

    it('two platforms that start an execution of the same name start one', async () => {
      const named = { ...wanted, name: 'b' }
      const [late, early] = await between(
        () => first.store.start({ ...named, id: 'late' }, now),
        () => second.store.start({ ...named, id: 'early' }, now),
      )
      expect([late, early]).toMatchObject([{ id: 'early' }, { id: 'early' }])
      expect(await first.store.read('late')).toBeUndefined()
      expect((await first.store.claim('order', now, 9)).work.map(({ key }) => key)).toEqual(['one', 'early'])
    })

    /** Ends the execution, whose time is then over, and claims its work. */
    async function claimEnded(status = 'SUCCEEDED') {
      await change(
        first.store,
        ({ execution }) => void Object.assign(execution, { status, endedAt: now, result: '"old"' }),
      )
      const [work] = (await second.store.claim('order', now, 1)).work
      return work!
    }
    /** The executions of a platform that starts some, and runs none. */
    async function starting({ store, context }: typeof first) {
      const order = { functionName: 'order', concurrency: 1, isIsolated: false, location: {} as never }
      const durable = { timeout: 60_000, retention: 5000 }
      const executions = openExecutions([{ ...order, durable }], store, context as never, true)
      await executions.stop(0)
      return executions
    }
    const input = '{"other":1}'
    const named = { functionName: 'order', name: 'a', input, tenantId: undefined, trace: undefined }

    it('an execution that starts while the other platform forgets the one with its name is a new one', async () => {
      const work = await claimEnded()
      const executions = await starting(first)
      const [started] = await between(
        () => executions.start(named),
        () => second.store.forget('one', work),
      )
      expect(started).toMatchObject({ execution: { name: 'a', status: 'RUNNING' }, input })
      const { id } = (started as Awaited<ReturnType<typeof executions.start>>).execution
      expect(id).not.toBe('one')
      expect(await second.store.operation(id, id)).toMatchObject({ payload: input })
      expect((await second.store.claim('order', now, 9)).work).toMatchObject([{ key: id }])
      expect(await first.store.read('one')).toBeUndefined()
    })

    it('an execution that takes the name of one that the other platform forgets meanwhile stays', async () => {
      const work = await claimEnded('FAILED')
      const [started] = await between(
        () => first.store.start({ ...wanted, id: 'again' }, now, true),
        () => second.store.forget('one', work),
        2,
      )
      expect(started).toMatchObject({ id: 'again', name: 'a', status: 'RUNNING' })
      expect(await second.store.read('one')).toBeUndefined()
      expect(await second.store.read('again')).toMatchObject({ name: 'a', operations: 1 })
      expect((await second.store.claim('order', now, 9)).work).toMatchObject([{ key: 'again' }])
    })

    it('forgetting an execution does not remove the one that took its name meanwhile', async () => {
      await claimEnded('FAILED').then(work => second.store.unclaim(work))
      const [work] = (await first.store.claim('order', now, 1)).work
      await between(
        () => first.store.forget('one', work!),
        () => second.store.start({ ...wanted, id: 'again' }, now, true),
        0,
      )
      expect(await second.store.read('one')).toBeUndefined()
      expect(await second.store.read('again')).toMatchObject({ name: 'a', status: 'RUNNING' })
      expect((await second.store.claim('order', now, 9)).work).toMatchObject([{ key: 'again' }])
    })

    it('an execution that runs is not forgotten', async () => {
      const [work] = (await first.store.claim('order', now, 1)).work
      await first.store.forget('one', work!)
      expect(await second.store.read('one')).toMatchObject({ status: 'RUNNING' })
      expect((await first.store.claim('order', now, 9)).work).toMatchObject([{ key: 'one' }])
    })

    it('an execution that gives its name away takes another one when its new name is taken meanwhile', async () => {
      await change(
        first.store,
        ({ execution }) => void Object.assign(execution, { status: 'FAILED', endedAt: now }),
      )
      const started = await between(
        () => first.store.start({ ...wanted, id: 'again' }, now, true),
        () => second.store.start({ ...wanted, id: 'other', name: 'a-1' }, now),
        2,
      )
      expect(started).toMatchObject([
        { id: 'again', name: 'a', attempt: 2 },
        { id: 'other', name: 'a-1' },
      ])
      expect(await second.store.read('one')).toMatchObject({ name: 'a-2' })
    })
  })
}
