import { startBrowser } from '@signalbox/console/web/testing/browser'
import { buildServedWeb } from '@signalbox/console/web/testing/built-web'

/**
 * A script that measures, in milliseconds, when a page has painted its first list, and how long its long
 * tasks take.
 */
const measuring = `
  window.longTasks = []
  new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push([startTime, duration])
  }).observe({ type: 'longtask', buffered: true })
  window.firstList = new Promise(resolve => {
    const look = () =>
      document.querySelector('tbody tr') === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    requestAnimationFrame(look)
  })
`

/** The origin of a console, and the session cookie of a visitor. */
interface Visit {
  readonly origin: string
  readonly cookie: string
}

/** Passes a new browser page with the session cookie to `work`, and closes the browser afterwards. */
async function withPage<T>({ origin, cookie }: Visit, work: (page: Page) => Promise<T>): Promise<T> {
  buildServedWeb()
  const browser = await startBrowser()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: `${origin}/console/` }])
    await context.addInitScript(measuring)
    return await work(await context.newPage())
  } finally {
    await browser.close()
  }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof startBrowser>>['newPage']>>

const open = async (page: Page, origin: string): Promise<number> => {
  await page.goto(`${origin}/console/invocations`)
  return page.evaluate('window.firstList')
}

/**
 * Returns the times in milliseconds from opening the address until the list is painted, for several rounds. An
 * additional first round only warms up the page.
 */
export function firstLists(visit: Visit, rounds: number): Promise<readonly number[]> {
  return withPage(visit, async page => {
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const time = await open(page, visit.origin)
      if (round > 0) times.push(time)
    }
    return times
  })
}

/** The minimum duration of a task that a browser reports as long, in milliseconds. */
export const shortestReported = 50

/**
 * Returns the longest task of the page in each second while there is load.
 * @param load runs until its signal aborts
 */
export function longestTasks(
  visit: Visit,
  seconds: number,
  load: (signal: AbortSignal) => Promise<void>,
): Promise<readonly number[]> {
  return withPage(visit, async page => {
    const ending = new AbortController()
    const loading = load(ending.signal)
    try {
      await open(page, visit.origin)
      const begin = (await page.evaluate('performance.now()')) as number
      await page.waitForTimeout(seconds * 1000)
      const tasks = (await page.evaluate('window.longTasks')) as readonly (readonly [number, number])[]
      return Array.from({ length: seconds }, (_, second) => {
        const from = begin + second * 1000
        const own = tasks.filter(([start]) => start >= from && start < from + 1000)
        return Math.max(shortestReported, ...own.map(([, duration]) => duration))
      })
    } finally {
      ending.abort()
      await loading
    }
  })
}
