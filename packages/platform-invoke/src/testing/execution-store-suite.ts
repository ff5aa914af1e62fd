import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { NewExecution, Operation } from '../store/execution.ts'
import type { ExecutionChange } from '../store/execution-change.ts'
import type { ExecutionStore, HistoryPage } from '../store/execution-store.ts'
import { callQueue } from '../store/execution-work.ts'

/** A store of executions under test. Its time is the time that its callers give. */
export interface OpenedExecutions {
  readonly store: ExecutionStore
  /** Ends the platform of the store without a word, as a crash does, and opens the store on another platform. */
  readonly crash: () => Promise<ExecutionStore>
  /** Closes all stores and deletes their executions. */
  readonly end: () => Promise<void>
}

/**
 * The shared tests of stores of executions, which every storage engine must pass.
 * @param engine the name of the engine
 * @param open opens a store without executions
 */
export function executionStoreSuite(engine: string, open: () => Promise<OpenedExecutions>): void {
  const wanted = (name: string, more: Partial<NewExecution> = {}): NewExecution => ({
    ...{ id: `id-of-${name}`, functionName: 'order', name, input: `{"for":"${name}"}`, tenantId: undefined },
    ...{ trace: undefined, timeout: 60_000, retention: 5000, parent: undefined, ...more },
  })
  const step = (id: string, more: Partial<Operation> = {}) =>
    ({ id, type: 'STEP', status: 'STARTED', ...more }) as const

  describe(`executions in ${engine}`, () => {
    let opened: OpenedExecutions
    let store: ExecutionStore
    beforeEach(async () => {
      opened = await open()
      store = opened.store
    })
    afterEach(() => opened.end())

    const claimOne = async (now: number, queue = 'order') => (await store.claim(queue, now, 1)).work[0]!
    const change = (id: string, work: (draft: ExecutionChange) => void, now: number, ids: string[] = []) =>
      store.change(
        id,
        { operations: ids },
        draft => {
          work(draft)
          return { result: undefined, since: -1 }
        },
        now,
      )
    const history = (id: string, page: Partial<HistoryPage> = {}) =>
      store.history(id, { after: undefined, limit: 9, bytes: 1e9, newestFirst: false, ...page })
    const end = (draft: ExecutionChange) => {
      Object.assign(draft.execution, { status: 'SUCCEEDED', endedAt: draft.now })
    }

    const happen = ({ execution }: ExecutionChange) => {
      execution.changes++
      execution.changedOutside = execution.changes
    }

    it('starts an execution once for each name of a function, with its input as its first operation', async () => {
      const first = await store.start(wanted('a'), 1000)
      expect(first).toMatchObject({ id: 'id-of-a', status: 'RUNNING', startedAt: 1000 })
      const again = await store.start(wanted('a', { id: 'other', input: 'null' }), 2000)
      expect(again).toEqual(first)
      await store.start(wanted('a', { id: 'elsewhere', functionName: 'rest' }), 1000)
      const { operations } = await store.operations('id-of-a', { after: -1, limit: 9, bytes: 1000 })
      expect(operations).toMatchObject([{ number: 0, type: 'EXECUTION', payload: '{"for":"a"}' }])
      expect((await history('id-of-a')).events).toMatchObject([
        { EventId: 1, EventType: 'ExecutionStarted', EventTimestamp: 1000 },
      ])
      expect(await store.read('nobody')).toBeUndefined()
      expect(await store.counts()).toEqual(
        new Map([
          ['order', 1],
          ['rest', 1],
        ]),
      )
    })

    it('gives the name of an execution that has failed to a new one, if it may', async () => {
      const fail = async (id: string) =>
        change(
          id,
          ({ execution, now }) => void Object.assign(execution, { status: 'FAILED', endedAt: now }),
          1001,
        )
      await store.start(wanted('a', { id: 'one' }), 1000)
      expect(await store.start(wanted('a', { id: 'two' }), 1000, true)).toMatchObject({ id: 'one' })
      await fail('one')
      expect(await store.start(wanted('a', { id: 'two' }), 1002)).toMatchObject({ id: 'one', name: 'a' })
      await store.start(wanted('a-2', { id: 'taken' }), 1002)
      const [two, again] = await Promise.all(
        ['two', 'again'].map(id => store.start(wanted('a', { id }), 1002, true)),
      )
      expect(two).toMatchObject({ id: again!.id, name: 'a', attempt: 2, status: 'RUNNING' })
      expect(await store.read('one')).toMatchObject({ name: 'a-1', status: 'FAILED' })
      await fail(two!.id)
      // The first one is forgotten after its retention.
      const claims = (await store.claim('order', 9000, 9)).work
      await store.forget('one', claims.find(({ key }) => key === 'one')!)
      expect(await store.start(wanted('a', { id: 'three' }), 9000, true)).toMatchObject({ attempt: 3 })
      const listed = await store.list({
        ...{ functionName: 'order', newestFirst: false, after: undefined, limit: 9 },
      })
      expect(listed.map(({ id, name }) => [id, name])).toEqual([
        ['taken', 'a-2'],
        [two!.id, 'a-3'],
        ['three', 'a'],
      ])
      await change('three', end, 9001)
      expect(await store.start(wanted('a', { id: 'four' }), 9002, true)).toMatchObject({ id: 'three' })
    })

    it('writes a change completely or not at all', async () => {
      await store.start(wanted('a'), 1000)
      const failing = change(
        'id-of-a',
        draft => {
          draft.add(step('s'))
          throw new Error('impossible')
        },
        1001,
      )
      await expect(failing).rejects.toThrow('impossible')
      expect(await store.operation('id-of-a', 's')).toBeUndefined()
      const done = await change(
        'id-of-a',
        draft => {
          draft.add(step('s', { name: 'eins\u{1f600}', payload: '"\\u0000"' }))
          draft.add(step('__proto__', { name: "' --", payload: '\u0000\ud800' }))
          draft.record({ EventType: 'StepStarted', Id: 's' }, { text: '\\u0000' })
        },
        1001,
      )
      expect(done!.operations.map(({ id, number }) => [id, number])).toEqual([
        ['id-of-a', 0],
        ['s', 1],
        ['__proto__', 2],
      ])
      expect(await store.operation('id-of-a', 's')).toMatchObject({ name: 'eins\u{1f600}', startedAt: 1001 })
      expect(await store.operation('id-of-a', '__proto__')).toMatchObject({ payload: '\u0000\ud800' })
      const { events } = await history('id-of-a', { after: 1 })
      expect(events).toMatchObject([{ EventId: 2, StepStartedDetails: { text: '\\u0000' } }])
      expect(await change('nobody', () => {}, 1001)).toBeUndefined()
    })

    it('reads the operations that a change names and those that are due, and returns those changed since', async () => {
      await store.start(wanted('a'), 1000)
      await change(
        'id-of-a',
        draft => {
          draft.add(step('named'))
          draft.add(step('due', { dueAt: 1500 }))
          draft.add(step('later', { dueAt: 9000 }))
        },
        1001,
      )
      const done = await store.change(
        'id-of-a',
        { operations: ['named', 'unknown'] },
        draft => {
          expect(draft.operation('later')).toBeUndefined()
          expect(draft.due().map(({ id }) => id)).toEqual(['due'])
          const { changes } = draft.execution
          draft.put({ ...draft.operation('named')!, status: 'SUCCEEDED' })
          return { result: 'result', since: changes }
        },
        1500,
      )
      expect(done).toMatchObject({ result: 'result', hasMore: false })
      expect(done!.operations.map(({ id, status }) => [id, status])).toEqual([['named', 'SUCCEEDED']])
    })

    it('pages operations by number and by size, without those of contexts that are over', async () => {
      await store.start(wanted('a'), 1000)
      await change(
        'id-of-a',
        draft => {
          draft.add(step('outer', { type: 'CONTEXT' }))
          draft.add(step('inner', { type: 'CONTEXT', parentId: 'outer' }))
          draft.add(step('innermost', { parentId: 'inner' }))
          for (const id of ['x', 'y', 'z']) draft.add(step(id, { payload: '.'.repeat(400) }))
          draft.hidden.push('outer')
        },
        1001,
      )
      const ids = async (after: number, limit: number, bytes: number) => {
        const { operations, hasMore } = await store.operations('id-of-a', { after, limit, bytes })
        return [...operations.map(({ id }) => id), hasMore]
      }
      expect(await ids(-1, 9, 1e9)).toEqual(['id-of-a', 'outer', 'x', 'y', 'z', false])
      expect(await ids(1, 2, 1e9)).toEqual(['x', 'y', true])
      expect(await ids(1, 9, 700)).toEqual(['x', true])
      expect(await ids(1, 9, 1)).toEqual(['x', true])
      expect(await ids(6, 9, 1)).toEqual([false])
      const { operations, hasMore } = (await store.change(
        'id-of-a',
        { page: 500 },
        () => ({ result: undefined, since: -1 }),
        1002,
      ))!
      expect([...operations.map(({ id }) => id), hasMore]).toEqual(['id-of-a', 'outer', true])
    })

    it('hides what a context that is over has inside, also what the same change adds or changes', async () => {
      await store.start(wanted('a'), 1000)
      const inOuter = (id: string, type: Operation['type'] = 'STEP') => step(id, { type, parentId: 'outer' })
      await change(
        'id-of-a',
        draft => {
          draft.add(step('outer', { type: 'CONTEXT' }))
          draft.add(inOuter('before'))
          draft.add(inOuter('changed'))
          draft.add(inOuter('inner', 'CONTEXT'))
          draft.add(step('beside'))
        },
        1001,
      )
      await change(
        'id-of-a',
        draft => {
          for (const id of ['outer', 'changed']) draft.put({ ...draft.operation(id)!, status: 'SUCCEEDED' })
          draft.add(step('added', { parentId: 'inner' }))
          draft.hidden.push('outer')
        },
        1002,
        ['outer', 'changed', 'added', 'inner'],
      )
      const { operations } = await store.operations('id-of-a', { after: 0, limit: 9, bytes: 1e9 })
      expect(operations.map(({ id, status }) => [id, status])).toEqual([
        ['outer', 'SUCCEEDED'],
        ['beside', 'STARTED'],
      ])
      expect(await store.operation('id-of-a', 'changed')).toMatchObject({ status: 'SUCCEEDED' })
      expect(await store.operation('id-of-a', 'added')).toMatchObject({ number: 6 })
    })

    it('makes an execution due when the earliest of its operations is, or when something has happened', async () => {
      await store.start(wanted('a'), 1000)
      const work = await claimOne(1000)
      await store.change(
        'id-of-a',
        { claim: work },
        draft => {
          draft.record({ EventType: 'InvocationCompleted' }, {})
          draft.add(step('s', { dueAt: 3000 }))
          draft.execution.seen = draft.execution.changes
          return { result: undefined, claim: 'wait' }
        },
        1001,
      )
      expect(await store.claim('order', 2999, 9)).toEqual({ work: [], nextAt: 3000 })
      await change('id-of-a', happen, 2000)
      const [again] = (await store.claim('order', 2000, 9)).work
      expect(again).toMatchObject({ key: 'id-of-a', queue: 'order' })
      // What happens while the work is claimed is not forgotten when the claim ends.
      await change('id-of-a', happen, 2001)
      await store.change('id-of-a', { claim: again! }, () => ({ result: undefined, claim: 'wait' }), 2002)
      expect((await store.claim('order', 2002, 9)).work).toHaveLength(1)
    })

    it('makes no change for a claim that another platform has taken over', async () => {
      await store.start(wanted('a'), 1000)
      const lost = await claimOne(1000)
      store = await opened.crash()
      const taken = await claimOne(1000)
      expect(taken.tries).toBe(2)
      const changed = (claim: typeof lost) =>
        store.change('id-of-a', { claim }, () => ({ result: 'made', claim: 'wait' }), 1001)
      expect(await changed({ ...lost, claim: lost.claim - 1_000_000 })).toBeUndefined()
      expect(await changed(taken)).toMatchObject({ result: 'made' })
      expect(await changed(taken)).toBeUndefined()
    })

    it('starts other executions and calls in the same transaction', async () => {
      await store.start(wanted('a'), 1000)
      await change(
        'id-of-a',
        draft => {
          draft.started.push(
            wanted('child', { functionName: 'rest', parent: { execution: 'id-of-a', operation: 's' } }),
          )
          draft.calls.push({ execution: 'id-of-a', operation: 'o p', functionName: 'mail' })
        },
        1001,
      )
      expect(await store.read('id-of-child')).toMatchObject({ parent: { operation: 's' }, retryAt: 1101 })
      // They wait, so that the change can be the last one of its invocation.
      expect(await store.claim(callQueue('mail'), 1001, 9)).toEqual({ work: [], nextAt: 1101 })
      expect(await store.claim('rest', 1001, 9)).toEqual({ work: [], nextAt: 1101 })
      const call = await claimOne(1101, callQueue('mail'))
      expect(call).toMatchObject({ owner: 'id-of-a', data: 'o p' })
      await store.finish(call, 1001)
      expect(await store.counts()).toEqual(
        new Map([
          ['order', 1],
          ['rest', 1],
        ]),
      )
    })

    it('forgets an execution that has ended, after its retention', async () => {
      await store.start(wanted('a'), 1000)
      await change('id-of-a', draft => void draft.add(step('s', { dueAt: 2000 })), 1000)
      await change('id-of-a', end, 1100)
      const work = await claimOne(1100)
      await store.change('id-of-a', { claim: work }, () => ({ result: undefined, claim: 'wait' }), 1100)
      expect(await store.claim('order', 1100, 9)).toEqual({ work: [], nextAt: 6100 })
      await store.forget('id-of-a', await claimOne(6100))
      expect(await store.read('id-of-a')).toBeUndefined()
      expect(await store.operation('id-of-a', 's')).toBeUndefined()
      expect(await history('id-of-a')).toEqual({ events: [], hasMore: false })
      expect((await store.counts()).size).toBe(0)
    })

    it('lists the executions of a function by name, status and time, in both orders and in pages', async () => {
      for (const [at, name] of ['a', 'b', 'c'].entries()) await store.start(wanted(name), 1000 + at * 1000)
      await change('id-of-b', end, 4000)
      const list = async (query: Partial<Parameters<ExecutionStore['list']>[0]>): Promise<string> =>
        (
          await store.list({
            functionName: 'order',
            newestFirst: false,
            after: undefined,
            limit: 9,
            ...query,
          })
        )
          .map(({ name }) => name)
          .join('')
      expect(await list({})).toBe('abc')
      expect(await list({ newestFirst: true, limit: 2 })).toBe('cb')
      expect(await list({ name: 'b' })).toBe('b')
      expect(await list({ statuses: ['SUCCEEDED', 'FAILED'] })).toBe('b')
      expect(await list({ startedAfter: 1000, startedBefore: 3000 })).toBe('b')
      expect(await list({ functionName: 'rest' })).toBe('')
      const [first] = await store.list({
        functionName: 'order',
        newestFirst: false,
        after: undefined,
        limit: 1,
      })
      expect(await list({ after: first!.number })).toBe('bc')
      expect(await list({ after: first!.number, newestFirst: true })).toBe('')
    })

    it('tells which of many executions have not ended', async () => {
      for (const name of ['a', 'b', 'c']) await store.start(wanted(name), 1000)
      await change('id-of-b', end, 1001)
      const ids = ['id-of-a', 'id-of-b', 'id-of-c', 'unknown']
      expect([...(await store.running(ids))].sort()).toEqual(['id-of-a', 'id-of-c'])
      expect((await store.running([])).size).toBe(0)
    })

    it('pages the history by number and by size, from both ends', async () => {
      await store.start(wanted('a'), 1000)
      await change(
        'id-of-a',
        draft => {
          for (const text of ['', 'é'.repeat(400), '']) draft.record({ EventType: 'Noted' }, { text })
        },
        1001,
      )
      const read = async (page: Partial<HistoryPage>) => {
        const { events, hasMore } = await history('id-of-a', page)
        return [...events.map(({ EventId }) => EventId), hasMore]
      }
      expect(await read({ limit: 2 })).toEqual([1, 2, true])
      expect(await read({ limit: 2, after: 2 })).toEqual([3, 4, false])
      expect(await read({ limit: 2, newestFirst: true })).toEqual([4, 3, true])
      expect(await read({ limit: 2, newestFirst: true, after: 3 })).toEqual([2, 1, false])
      // The third event has more than 800 bytes, and fewer than 600 characters.
      expect(await read({ bytes: 800 })).toEqual([1, 2, true])
      expect(await read({ bytes: 800, after: 2 })).toEqual([3, true])
      expect(await read({ bytes: 800, after: 3 })).toEqual([4, false])
      expect(await read({ bytes: 1, newestFirst: true })).toEqual([4, true])
      expect(await read({ bytes: 1, after: 4 })).toEqual([false])
    })
  })
}
