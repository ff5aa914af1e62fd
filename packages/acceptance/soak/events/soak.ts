import { setImmediate as immediate } from 'node:timers/promises'
import { awsEvent } from '@signalbox/aws/testing'
import { type FunctionUnderTest, families, functionsUnderTest } from './functions.ts'
import { httpPlan, sessions } from './load-balancer.ts'
import { mailPlan } from './mail-flow.ts'
import { type Outcome, oneOf, type Planned } from './planned.ts'
import { batchEvent } from './queue.ts'
import { tokenIssuer } from './token-issuer.ts'
import { traced } from './traced.ts'
import { poolEvent } from './user-pool.ts'
import {
  advance,
  clock,
  isFull,
  markOf,
  randomOf,
  see,
  takeViolations,
  type Visit,
  violation,
  visit,
} from './visit.ts'

export interface EventSoakOptions {
  /** The number of events. Some of them come twice. */
  readonly events: number
  readonly seed: number
  /** The maximum number of events for which the platform waits at once. Default 200. */
  readonly atOnce?: number
  readonly say?: (text: string) => void
}

export interface EventSoakFindings {
  readonly calls: number
  /** The largest number of calls that ran at once. */
  readonly most: number
  /** The number of calls that the platform stopped waiting for while they ran. */
  readonly abandoned: number
  readonly failed: number
  /** The number of spans, and of log lines that know their event. */
  readonly spans: number
  readonly lines: number
  /** The number of events of each family. */
  readonly families: { readonly [family: string]: number }
  /** The number of calls of each function. */
  readonly functions: { readonly [name: string]: number }
  /** The number of events of each kind. */
  readonly kinds: { readonly [kind: string]: number }
  readonly violations: readonly string[]
}

/** The number of events in a row that are of one kind. */
const inARow = 8

/** Milliseconds without the end of a call, after which the calls that are left count as stuck. */
const longestSilence = 60_000

/**
 * Lets functions handle events of all families, many at once, in one process. Their code pauses at random places, and
 * looks for what belongs to another event in everything that it gets. Each answer, error and log line is compared with
 * what its own event makes of it.
 */
export async function eventSoak({
  events,
  seed,
  atOnce = 200,
  say = () => {},
}: EventSoakOptions): Promise<EventSoakFindings> {
  await using issuer = await tokenIssuer()
  const session = sessions()
  const functions = functionsUnderTest(issuer, session)
  const random = randomOf(seed)
  const counts = { calls: 0, most: 0, abandoned: 0, failed: 0 }
  const tallies = { families: {}, functions: {}, kinds: {} } as Record<string, Record<string, number>>
  let [waitedFor, running, latest] = [0, 0, performance.now()]

  const plan = (own: Visit, family: string): Planned | Promise<Planned> => {
    if (family === 'user-pool') return poolEvent(own)
    if (family === 'queue') return batchEvent(own)
    return family === 'mail-flow' ? mailPlan(own) : httpPlan(own, issuer, session)
  }
  const call = async (own: Visit, tested: FunctionUnderTest, { timeout }: Planned, text: string) => {
    counts.calls++
    running++
    counts.most = Math.max(counts.most, running)
    const event = JSON.parse(text)
    const end = clock.now() + timeout
    const getRemainingTimeInMillis = () => Math.max(0, end - clock.now())
    const id = tested.isForAws ? { awsRequestId: own.mark } : { requestId: own.mark }
    const context = { functionName: tested.name, ...id, getRemainingTimeInMillis }
    let outcome: Outcome
    try {
      outcome = {
        answer: await tested.call((tested.isForAws ? awsEvent(event) : event) as never, context as never),
      }
    } catch (error) {
      counts.failed++
      outcome = { error }
    }
    running--
    latest = performance.now()
    return outcome
  }
  const handle = async (own: Visit, family: (typeof families)[number]): Promise<void> => {
    const able = functions.filter(each => each.families.includes(family))
    const tested = oneOf(own, ...able)
    const planned = await plan(own, family)
    const text = JSON.stringify(planned.event)
    count(tallies.families!, family)
    count(tallies.functions!, tested.name)
    count(tallies.kinds!, planned.kind)
    const outcomes: Outcome[] = []
    const checked = async () => {
      const outcome = await call(own, tested, planned, text)
      outcomes.push(outcome)
      planned.check(outcome)
    }
    await (planned.again === 'meanwhile' ? Promise.all([checked(), checked()]) : checked())
    if (planned.again === 'afterwards') await checked()
    planned.checkAll?.(outcomes)
  }
  const begin = (number: number): void => {
    const own: Visit = {
      mark: markOf(number),
      random: randomOf(seed + 7919 * (number + 1)),
      kinds: randomOf(seed - 104_729 * (Math.floor(number / inARow) + 1)),
      runs: 0,
    }
    let isWaitedFor = true
    const stopWaiting = () => {
      if (isWaitedFor) waitedFor--
      isWaitedFor = false
    }
    waitedFor++
    visit(own, () => {
      const family = oneOf(own, ...families)
      if (own.random(20) === 0)
        clock.after(own.random(40), () => {
          if (isWaitedFor) counts.abandoned++
          stopWaiting()
        })
      handle(own, family)
        .catch(error => violation(`the event ${own.mark} of ${family} has ${error.stack}`))
        .finally(stopWaiting)
    })
  }

  const restore = watchProcess()
  const tracing = traced()
  try {
    const began = performance.now()
    for (let number = 0; (number < events || waitedFor + running > 0) && !isFull(); ) {
      if (performance.now() - latest > longestSilence) {
        violation(`${running} calls do not end`)
        break
      }
      while (waitedFor < atOnce && number < events) {
        begin(number++)
        if (number % 50_000 === 0)
          say(`${number} events, ${Math.round((number / (performance.now() - began)) * 1000)} a second`)
      }
      await immediate()
      await advance(random(40))
    }
  } finally {
    tracing.end()
    restore()
  }
  const { families: ofFamilies, functions: ofFunctions, kinds } = tallies
  return {
    ...{ ...counts, ...tracing.counts },
    families: ofFamilies!,
    functions: ofFunctions!,
    kinds: kinds!,
    violations: takeViolations(),
  }
}

function count(tally: Record<string, number>, name: string): void {
  tally[name] = (tally[name] ?? 0) + 1
}

/** Looks at what is written to the console, and for rejections that nothing handles. Returns a function that stops. */
function watchProcess(): () => void {
  const { warn, error } = console
  const onRejection = (reason: unknown) => violation(`nothing handles ${reason}`)
  console.warn = (...values) => see('a warning', ...values)
  console.error = (...values) => see('the console', ...values)
  process.on('unhandledRejection', onRejection)
  return () => {
    Object.assign(console, { warn, error })
    process.off('unhandledRejection', onRejection)
  }
}
