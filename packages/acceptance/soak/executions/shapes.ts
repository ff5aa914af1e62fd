import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type DurableContext, StepSemantics } from '@aws/durable-execution-sdk-js'

/** What an execution does. */
interface Shape {
  readonly name: string
  readonly run: (context: DurableContext, number: number) => Promise<unknown>
  /** Returns the right result. */
  readonly result: (number: number) => unknown
  /** Whether the right end is a failure. */
  readonly fails?: boolean
}

/** Writes a line that outlives this process. */
const note = (file: string, text: string) => appendFileSync(join(process.env.SOAK_FOLDER!, file), `${text}\n`)

const add = (context: DurableContext, name: string, number: number, by = 1) =>
  context.step(name, async () => {
    await delay(2)
    return number + by
  })

const retries = {
  retryStrategy: (_: Error, attempt: number) => ({ shouldRetry: attempt < 6, delay: { seconds: 1 } }),
}

/** A step that each attempt runs at most once. An attempt that was interrupted counts as one that failed. */
const atMostOnce = (context: DurableContext, number: number) =>
  context.step(
    'once',
    async () => {
      note('once.txt', `${number}`)
      await delay(5)
      return number
    },
    { ...retries, semantics: StepSemantics.AtMostOncePerRetry },
  )

const approval = (context: DurableContext, number: number) =>
  context.waitForCallback('approval', async callbackId => note('callbacks.txt', `${number} ${callbackId}`))

/** The shapes of the executions. The number of an execution chooses its shape. */
export const shapes: readonly Shape[] = [
  { name: 'one step', run: (c, n) => add(c, 'a', n), result: n => n + 1 },
  {
    name: 'steps in a row',
    run: async (c, n) => add(c, 'b', await add(c, 'a', n)),
    result: n => n + 2,
  },
  {
    name: 'a wait',
    run: async (c, n) => {
      await c.wait('rest', { seconds: 1 })
      return n
    },
    result: n => n,
  },
  {
    name: 'steps around a wait',
    run: async (c, n) => {
      const first = await add(c, 'a', n)
      await c.wait('rest', { seconds: 2 })
      return add(c, 'b', first)
    },
    result: n => n + 2,
  },
  {
    name: 'steps beside each other',
    run: async (c, n) => {
      const all = await c.parallel('all', [async d => add(d, 'x', n), async d => add(d, 'y', n, 2)])
      return all.getResults()
    },
    result: n => [n + 1, n + 2],
  },
  {
    name: 'a map',
    run: async (c, n) => (await c.map('all', [1, 2, 3, 4], async (d, by) => add(d, 'x', n, by))).getResults(),
    result: n => [n + 1, n + 2, n + 3, n + 4],
  },
  {
    name: 'a context',
    run: (c, n) => c.runInChildContext('inner', async d => add(d, 'b', await add(d, 'a', n))),
    result: n => n + 2,
  },
  {
    name: 'contexts in contexts',
    run: (c, n) =>
      c.runInChildContext('outer', async d => {
        await d.wait('rest', { seconds: 1 })
        return d.runInChildContext('inner', async e => add(e, 'a', n))
      }),
    result: n => n + 1,
  },
  {
    name: 'a step that fails at first',
    run: (c, n) =>
      c.step(
        'flaky',
        async () => {
          note('flaky.txt', `${n}`)
          if (Math.random() < 0.3) throw new Error('not yet')
          return n
        },
        { retryStrategy: () => ({ shouldRetry: true, delay: { seconds: 1 } }) },
      ),
    result: n => n,
  },
  {
    name: 'a step that always fails',
    run: (c, n) =>
      c.step('never', async () => Promise.reject(new Error(`never ${n}`)), {
        retryStrategy: (_, attempt) => ({ shouldRetry: attempt < 2, delay: { seconds: 1 } }),
      }),
    result: () => undefined,
    fails: true,
  },
  {
    name: 'a failure that is caught',
    run: async (c, n) => {
      try {
        await c.step('never', async () => Promise.reject(new Error('no')), {
          retryStrategy: () => ({ shouldRetry: false }),
        })
      } catch {
        return add(c, 'instead', n)
      }
      return undefined
    },
    result: n => n + 1,
  },
  { name: 'a callback', run: approval, result: n => `answer ${n}` },
  {
    name: 'a callback that nobody ends',
    run: async (c, n) => {
      try {
        await c.waitForCallback('nobody', async () => {}, { timeout: { seconds: 2 } })
      } catch {
        return n
      }
      return undefined
    },
    result: n => n,
  },
  { name: 'a call of a function', run: (c, n) => c.invoke('call', 'double', n), result: n => n * 2 },
  {
    name: 'a call of a durable function',
    run: (c, n) => c.invoke('call', 'called', { number: n }),
    result: n => n + 1,
  },
  {
    name: 'a condition',
    run: (c, n) =>
      c.waitForCondition('grown', async (state: number) => state + 1, {
        initialState: n,
        waitStrategy: state =>
          state >= n + 3 ? { shouldContinue: false } : { shouldContinue: true, delay: { seconds: 1 } },
      }),
    result: n => n + 3,
  },
  { name: 'a step at most once', run: atMostOnce, result: n => n },
  {
    name: 'many steps',
    run: async (c, n) => {
      let sum = n
      for (let at = 0; at < 30; at++) sum = await add(c, `s${at}`, sum)
      return sum
    },
    result: n => n + 30,
  },
  {
    name: 'waits beside each other',
    run: async (c, n) => {
      await c.parallel('all', [
        async d => d.wait('short', { seconds: 1 }),
        async d => d.wait('long', { seconds: 3 }),
      ])
      return n
    },
    result: n => n,
  },
  {
    name: 'everything',
    run: async (c, n) => {
      const first = await add(c, 'a', n)
      await c.wait('rest', { seconds: 1 })
      const doubled = await c.invoke<number, number>('call', 'double', first)
      const answer = await approval(c, n)
      await atMostOnce(c, n)
      return { doubled, answer }
    },
    result: n => ({ doubled: (n + 1) * 2, answer: `answer ${n}` }),
  },
]
