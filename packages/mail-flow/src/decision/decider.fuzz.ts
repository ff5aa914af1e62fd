import { memoryStore, type Store, signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import fc from 'fast-check'
import { mailFlow } from '../mail-flow.ts'
import { once } from '../response/once.ts'
import { mailEvent } from '../testing/index.ts'

const event = mailEvent()

/** The result of an invocation, and its duration. */
interface Result {
  readonly answer?: string
  readonly error?: Error
  readonly took: number
}

/** Counts of the cases in a run, to check that the run covered the important ones. */
export interface RaceFigures {
  agreed: number
  late: number
  failed: number
}

/**
 * Runs several invocations for one mail at about the same time. Decisions may fail or take too long. The store is slow,
 * and fails in half of the cases. Each invocation must end within fifteen seconds, for a known reason. If the store
 * does not fail, all invocations that are in time must return the same response.
 */
export function raceProperty(figures: RaceFigures = { agreed: 0, late: 0, failed: 0 }) {
  const decision = fc.record({ start: fc.nat(5000), takes: fc.nat(30_000), fails: fc.boolean() })
  const operation = fc.record({ takes: fc.nat(20_000), fails: fc.nat(4).map(n => n === 0) })
  const decisions = fc.array(decision, { minLength: 1, maxLength: 5 })
  const operations = fc.array(operation, { minLength: 20, maxLength: 20 })
  return fc.asyncProperty(
    decisions,
    operations,
    fc.boolean(),
    fc.boolean(),
    async (decisions, operations, storeFails, drops) => {
      const clock = manualClock()
      const wait = (ms: number) => new Promise<void>(resolve => clock.after(ms, resolve))
      const memory = memoryStore({ clock })
      let next = 0
      const slow = async () => {
        const { takes, fails } = operations[next++ % operations.length]!
        await wait(storeFails ? takes : takes % 50)
        if (storeFails && fails) throw new Error('store')
      }
      const store: Store = {
        ...memory,
        get: key => slow().then(() => memory.get(key)),
        setIfAbsent: (key, value, ttl) => slow().then(() => memory.setIfAbsent(key, value, ttl)),
      }
      const results: Result[] = []
      for (const [number, { start, takes, fails }] of decisions.entries()) {
        const decide = mailFlow(
          async (_, actions) => {
            await wait(takes)
            if (fails) throw new Error('decide')
            return actions.bounce(`${number}`)
          },
          {
            clock,
            once: once({ store }),
            onWarnings: () => {},
            ...(drops && { onTimeout: (_, actions) => actions.drop() }),
          },
        )
        const end = (result: object) => results.push({ ...result, took: clock.now() - began })
        let began = 0
        clock.after(start, () => {
          began = clock.now()
          signalbox(decide, { clock })(event).then(
            response => end({ answer: JSON.stringify(response) }),
            error => end({ error }),
          )
        })
      }
      await clock.advance(60_000)
      if (results.length < decisions.length) throw new Error('an invocation has no result')
      const inTime = new Set<string>()
      for (const { answer, error, took } of results) {
        if (took > 14_500) throw new Error(`an result after ${took} milliseconds`)
        if (took === 14_500) figures.late++
        else if (answer !== undefined) inTime.add(answer)
        if (error === undefined) continue
        figures.failed++
        if (error.name === 'DecisionTimeoutError' && !drops) continue
        if (error.message !== 'decide' && !(storeFails && error.message === 'store')) throw error
      }
      if (storeFails) return
      if (inTime.size > 1) throw new Error(`the decisions are ${[...inTime]}`)
      figures.agreed++
    },
  )
}

export async function fuzz(runs: number, seed?: number): Promise<string> {
  const figures: RaceFigures = { agreed: 0, late: 0, failed: 0 }
  await fc.assert(raceProperty(figures), { numRuns: runs, ...(seed === undefined ? {} : { seed }) })
  const { agreed, late, failed } = figures
  return `${runs} races: ${agreed} agreed, ${late} invocations were late, ${failed} failed`
}
