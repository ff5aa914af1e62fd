import type { DurableContext, OperationInfo } from '@aws/durable-execution-sdk-js'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { batchHistory, functionsOf, operations } from './testing/batches.ts'
import { flaky, flakyHistory, greet, greeted, recorded } from './testing/recorded.ts'
import { type Call, recorder } from './testing/recorder.ts'
import { durablePlatform, failed, succeeded } from './testing/required.ts'

const { run, start, stop } = durablePlatform()
beforeAll(start)
afterAll(stop)

const isTime = { getTime: expect.any(Function) }

/** Returns the attempts of steps: the id of the operation, the number, and whether it starts or how it ended. */
const attemptsIn = (calls: readonly Call[]) =>
  calls.flatMap(([hook, { id, attempt, outcome }]) =>
    hook.startsWith('onOperationAttempt') ? [[id, attempt, outcome ?? 'starts']] : [],
  )

const step = (hook: Call[0], calls: readonly Call[]) =>
  calls.filter(([each, { type }]) => each === hook && type === 'STEP')

describe('the hooks of an attempt', () => {
  it('are called for each attempt of a step, with its outcome', async () => {
    const state = { calls: 0 }
    const { ended, calls, letterOf } = await recorded(run, async (_event, context) =>
      flaky(context, state, 1),
    )
    expect(ended).toEqual(succeeded('done', flakyHistory('StepSucceeded a "flaky" = "done" attempt 2')))
    expect(attemptsIn(calls).map(([id, ...each]) => [letterOf(id), ...each])).toEqual([
      ['a', 1, 'starts'],
      ['a', 1, 'FAILED'],
      ['a', 2, 'starts'],
      ['a', 2, 'SUCCEEDED'],
    ])
  })

  it('are called up to the last attempt, after which the operation ends', async () => {
    const state = { calls: 0 }
    const { ended, calls, told } = await recorded(run, async (_event, context) => flaky(context, state, 2))
    expect(ended).toEqual(
      failed('StepError: not yet', flakyHistory('StepFailed a "flaky" Error: not yet attempt 2')),
    )
    expect(attemptsIn(calls).map(([_id, ...each]) => each)).toEqual([
      [1, 'starts'],
      [1, 'FAILED'],
      [2, 'starts'],
      [2, 'FAILED'],
    ])
    expect(told('onOperationEnd', 'STEP')).toMatchObject([{ status: 'FAILED' }])
    const secondStart = calls.findIndex(
      ([hook, { attempt }]) => hook === 'onOperationAttemptStart' && attempt === 2,
    )
    expect(calls.findIndex(([hook]) => hook === 'onOperationEnd')).toBeGreaterThan(secondStart)
  })

  it('have all fields of an attempt', async () => {
    const state = { calls: 0 }
    const { ended, told } = await recorded(run, async (_event, context) => flaky(context, state, 1))
    expect(ended.status).toBe('SUCCEEDED')
    const known = { name: 'flaky', type: 'STEP', startTimestamp: isTime, isReplay: expect.any(Boolean) }
    expect(told('onOperationAttemptStart')).toMatchObject([
      { ...known, attempt: 1 },
      { ...known, attempt: 2 },
    ])
    expect(told('onOperationAttemptEnd')).toMatchObject([
      { ...known, attempt: 1, outcome: 'FAILED', error: { message: 'not yet' }, endTimestamp: isTime },
      { ...known, attempt: 2, outcome: 'SUCCEEDED', endTimestamp: isTime },
    ])
    expect(told('onOperationAttemptEnd')[1]?.error).toBeUndefined()
  })
})

describe('the hook of changes', () => {
  it('has the operations that changed, each of which is also among all of them', async () => {
    const { ended, told, letterOf } = await recorded(run, greet, 'Ada')
    expect(ended).toEqual(greeted)
    const changes = told('onOperationChange').flatMap(({ updatedOperations, operations: all }) =>
      Object.values(updatedOperations as Record<string, OperationInfo>).map(({ id, status }) => [
        ...[letterOf(id), status, id in (all as object)],
      ]),
    )
    expect(changes.filter(([_id, status]) => status !== 'STARTED')).toEqual([['a', 'SUCCEEDED', true]])
  })

  it('has all fields of an operation', async () => {
    const { ended, told } = await recorded(run, greet, 'Ada')
    expect(ended).toEqual(greeted)
    const change = told('onOperationChange').find(({ updatedOperations }) =>
      Object.values(updatedOperations as Record<string, OperationInfo>).some(
        ({ status }) => status === 'SUCCEEDED',
      ),
    )
    expect(change).toMatchObject({ executionArn: expect.stringMatching(/^arn:/) })
    expect(Object.values(change!.updatedOperations as Record<string, OperationInfo>)).toMatchObject([
      {
        ...{ name: 'greet', type: 'STEP', status: 'SUCCEEDED', attempt: 1, isReplay: expect.any(Boolean) },
        ...{ startTimestamp: isTime, endTimestamp: isTime },
      },
    ])
  })
})

describe('several plugins', () => {
  const all = ['onInvocationStart', 'onOperationStart', 'onOperationAttemptStart', 'onOperationAttemptEnd']
  const exercised = [...all, 'onOperationEnd', 'onInvocationEnd'] as readonly Call[0][]
  const countsOf = (calls: readonly Call[]) =>
    exercised.map(hook => calls.filter(([each]) => each === hook).length)

  it('do not change an execution by errors that they throw', async () => {
    const { calls, plugin } = recorder({ throws: true })
    expect(await run(greet, { input: 'Ada', config: { plugins: [plugin] } })).toEqual(greeted)
    expect(countsOf(calls)).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('all get the calls of the hooks', async () => {
    const [one, two] = [recorder(), recorder()]
    const config = { plugins: [one.plugin, two.plugin] }
    expect(await run(greet, { input: 'Ada', config })).toEqual(greeted)
    for (const { calls } of [one, two]) {
      const invocations = calls.flatMap(([hook, { status }]) =>
        /^onInvocation/.test(hook) ? [`${hook} ${status ?? ''}`] : [],
      )
      expect(invocations).toEqual(['onInvocationStart ', 'onInvocationEnd SUCCEEDED'])
    }
  })

  it('do not keep each other from their calls by errors', async () => {
    const [broken, healthy] = [recorder({ throws: true }), recorder()]
    const letters = new Map<string, string>()
    const config = { plugins: [broken.plugin, healthy.plugin] }
    expect(await run(greet, { input: 'Ada', letters, config })).toEqual(greeted)
    expect(countsOf(broken.calls)).toEqual([1, 1, 1, 1, 1, 1])
    expect(countsOf(healthy.calls)).toEqual([1, 1, 1, 1, 1, 1])
    expect(healthy.calls).toMatchObject([
      ['onInvocationStart', { isFirstInvocation: true }],
      ...healthy.calls.slice(1, -1).map(() => [expect.any(String), expect.any(Object)]),
      ['onInvocationEnd', { status: 'SUCCEEDED' }],
    ])
    for (const hook of exercised.filter(each => !each.startsWith('onInvocation')))
      expect(step(hook, healthy.calls).map(([_hook, { id }]) => letters.get(String(id)))).toEqual(['a'])
  })
})

describe('the hook around the function of a context', () => {
  it('is called for each branch, with the parent that the history has', async () => {
    const { calls, plugin } = recorder()
    const letters = new Map<string, string>()
    const ended = await run(
      async (_event, context) => {
        const result = await operations.parallel.run(context, functionsOf(['1', '2']))
        return result.getResults()
      },
      { letters, config: { plugins: [plugin] } },
    )
    expect(ended).toEqual(
      succeeded(['1', '2'], `${batchHistory(operations.parallel, ['"1"', '"2"'])}\nInvocationCompleted`),
    )
    const branches = calls.flatMap(([hook, { subType, id, parentId }]) =>
      /^(wrapChildContextFn|onOperationEnd)$/.test(hook) && subType === 'ParallelBranch'
        ? [[hook, letters.get(String(id)), letters.get(String(parentId))]]
        : [],
    )
    expect(branches).toEqual([
      ['wrapChildContextFn', 'b', 'a'],
      ['onOperationEnd', 'b', 'a'],
      ['wrapChildContextFn', 'c', 'a'],
      ['onOperationEnd', 'c', 'a'],
    ])
  })

  it('has the kind of the context, and whether the function is replayed', async () => {
    const { ended, told, letterOf } = await recorded(run, async (_event, context) => {
      const branches = [
        {
          name: 'one',
          func: async (child: DurableContext) => {
            await child.step('inner', async () => 1)
            await child.wait({ seconds: 2 })
            return 'one'
          },
        },
        { name: 'two', func: async () => 'two' },
      ]
      const result = await context.parallel('both', branches, { maxConcurrency: 1 })
      return result.getResults()
    })
    expect(ended).toMatchObject({ status: 'SUCCEEDED', result: ['one', 'two'] })
    expect(ended.history[0]).toBe('ContextStarted a Parallel "both"')
    const starts = told('onOperationStart', 'CONTEXT').filter(({ isReplay }) => isReplay === false)
    expect(starts.map(({ id, name, subType }) => [letterOf(id), name, subType])).toEqual([
      ['a', 'both', 'Parallel'],
      [expect.any(String), 'one', 'ParallelBranch'],
      [expect.any(String), 'two', 'ParallelBranch'],
    ])
    const replays = (name: string) =>
      told('wrapChildContextFn', 'CONTEXT').flatMap(each => (each.name === name ? [each.isReplay] : []))
    expect(replays('one')[0]).toBe(false)
    expect(replays('one').length).toBeGreaterThanOrEqual(2)
    expect(replays('two')[0]).toBe(false)
  })
})
