import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { decode } from '@signalbox/codec'
import axe from 'axe-core'
import type * as t from 'io-ts'
import type { Browser, Page } from 'playwright-core'
import { allRoutes } from '../testing/all-routes.ts'
import { startBrowser } from './testing/browser.ts'
import { buildWeb } from './testing/built-web.ts'
import { fixtureServer } from './testing/fixture-server.ts'
import { fixtureAnswers, fixtureNumbers } from './testing/fixtures/answers.ts'
import { describedPage } from './testing/fixtures/described-page.ts'
import { fixturePlatform } from './testing/fixtures/platform.ts'
import { pageAddresses } from './testing/page-addresses.ts'

const answers = fixtureAnswers(Date.now()) as { readonly [name: string]: unknown }
const platform = fixturePlatform(Date.now())
const pages = [...(answers.pages as readonly object[]), describedPage]
const full: typeof platform = (name, request) => (name === 'pages' ? pages : platform(name, request))
const addresses = { ...pageAddresses, described: '/described' }
const none: { readonly [name: string]: unknown } = {
  ...answers,
  pages,
  invocations: { invocations: [], before: undefined },
  functions: [],
  queues: [],
  mails: [],
  mailboxes: [],
  pools: [],
  users: { users: [], after: undefined },
  poolMessages: [],
  poolChallenges: [],
  loadBalancers: [],
  platforms: { isShared: false, platforms: [] },
  overview: { ...(answers.overview as object), functions: [], families: [], sources: [], verdicts: [] },
}
const empty: typeof full = name => none[name]

const built = mkdtempSync(join(tmpdir(), 'signalbox-console-'))
let browser: Browser
let page: Page
let server: Awaited<ReturnType<typeof fixtureServer>>
let shown = full
const problems: string[] = []

beforeAll(async () => {
  buildWeb(built)
  browser = await startBrowser()
  server = await fixtureServer(built, (name, request) => shown(name, request))
  page = await browser.newPage({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce' })
  page.on('console', message => problems.push(message.text()))
  page.on('pageerror', error => problems.push(String(error)))
})

afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
  rmSync(built, { recursive: true, force: true })
})

/** Opens a page, and waits until its answers have arrived. */
async function open(address: string): Promise<void> {
  await page.goto(`${server.origin}/console${address}`)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
}

/** The rules of axe that depend on colours. The others find the same in both themes. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** Returns the problems that axe finds on the open page, in both themes. */
async function found(): Promise<readonly string[]> {
  const all: string[] = []
  await page.evaluate(axe.source)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Nodes without problems are neither described nor sent.
    const options = {
      iframes: false,
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' && { runOnly: rulesOfColours }),
    }
    const violations = (await page.evaluate(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
    )) as axe.AxeResults['violations']
    all.push(
      ...violations.map(
        ({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`,
      ),
    )
  }
  return all
}

/** Code that returns the labels of the tables that are wider than their frames. */
const cutTables = `[...document.querySelectorAll('.table')]
  .filter(each => each.scrollWidth > each.clientWidth)
  .map(each => each.getAttribute('aria-label'))`

const widthOf = () => page.evaluate('document.documentElement.scrollWidth')

it('each fixture matches the response codec of its API route', () => {
  for (const [name, value] of Object.entries(answers)) {
    const codec = (
      allRoutes[name as keyof typeof allRoutes].returns as { readonly [status: number]: t.Mixed }
    )[200]!
    expect(() => decode(codec, JSON.parse(JSON.stringify(value)))).not.toThrow()
  }
})

it('the compressed files of the web application are smaller than 100 kB in total', () => {
  const files = readdirSync(built, { recursive: true, withFileTypes: true }).filter(
    each => each.isFile() && !/\.(?:gz|br)$/.test(each.name),
  )
  const sizes = files.map(each => gzipSync(readFileSync(join(each.parentPath, each.name))).length)
  expect(sizes.reduce((a, b) => a + b)).toBeLessThan(100_000)
})

it('the web application contains no URLs of other origins and no inline scripts', () => {
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  expect(html).not.toMatch(/<script(?![^>]*src=)|https?:|\son\w+=/)
  for (const each of readdirSync(join(built, 'assets')).filter(name => /\.(?:js|css)$/.test(name)))
    expect(
      readFileSync(join(built, 'assets', each), 'utf8').match(/https?:\/\/(?!www\.w3\.org\/)[^"'`\s]*/g),
    ).toBeNull()
})

describe('pages of the console', () => {
  it.each(Object.entries(addresses))(
    'the page "%s" passes the axe accessibility checks, and fits into widths of 1080 and 360 px',
    async (_name, address) => {
      shown = full
      problems.length = 0
      await page.setViewportSize({ width: 1200, height: 800 })
      await open(address)
      server.push('numbers', fixtureNumbers(Date.now()))
      expect(await found()).toEqual([])
      await page.setViewportSize({ width: 1080, height: 740 })
      expect(await page.evaluate(cutTables)).toEqual([])
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await widthOf()).toBeLessThanOrEqual(360)
      expect(problems).toEqual([])
    },
  )

  it.each(
    Object.entries(addresses).filter(([name]) => !/invocation$|details|dead|user$|^queue$|-mail$/.test(name)),
  )(
    'the page "%s" without data passes the axe accessibility checks, and fits into a width of 360 px',
    async (_name, address) => {
      shown = empty
      await page.setViewportSize({ width: 360, height: 740 })
      await open(address)
      expect(await found()).toEqual([])
      expect(await widthOf()).toBeLessThanOrEqual(360)
    },
  )
})

it.each([
  '/nothing',
  '/queues/orders/nothing',
  '/mail/nothing',
  '/users/staff/user',
  '/access/log',
  '/queues//',
])('an address without a page, %s, is called so, and leads to a page', async address => {
  shown = full
  await page.setViewportSize({ width: 1200, height: 800 })
  await open(address)
  expect(await page.locator('h1').innerText()).toBe('There is no such page')
  const words = await page.locator('main').innerText()
  expect(words).toContain(`The console has no page at ${address.replace(/\/$/, '')}.`)
  await page.locator('main a').click()
  await page.getByRole('heading', { name: 'Invocations' }).waitFor()
})

const focused = () =>
  page.evaluate(
    '(document.activeElement.closest("label")?.querySelector("span") ?? document.activeElement).textContent.trim()',
  )
/** Presses Tab until an element with this text has the focus. */
async function tabTo(text: string): Promise<void> {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press('Tab')
    if ((await focused()) === text) return
  }
  throw new Error(`Nothing with the text ${text} gets the focus.`)
}

describe('a keyboard user of the console', () => {
  it('can skip the navigation, filter the list, open an invocation and collapse its JSON', async () => {
    shown = full
    await page.setViewportSize({ width: 1200, height: 800 })
    await open('/invocations')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Go to the content')
    await tabTo('Result')
    await page.keyboard.type('Anything')
    await page.waitForURL('**/invocations?severity=wrong')
    await tabTo('GET /orders/9')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/invocations/*')
    await page.getByRole('heading', { name: 'Event' }).waitFor()
    expect(await page.evaluate('document.activeElement.tagName')).toBe('MAIN')
    const fold = page.getByRole('button', { name: 'List Records' })
    await fold.focus()
    await page.keyboard.press('Enter')
    expect(await fold.getAttribute('aria-expanded')).toBe('false')
    await page.goBack()
    await page.waitForURL('**/invocations?severity=wrong')
  })

  it('must confirm a purge, can cancel it with Escape, and then returns to the button', async () => {
    await open('/queues/orders')
    await tabTo('Purge')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await focused()).toBe('Cancel')
    expect(await found()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await focused()).toBe('Purge')
  })
})

describe('the platforms page', () => {
  it('can be opened with the keyboard, and shows which platforms are running', async () => {
    shown = full
    await page.setViewportSize({ width: 1200, height: 800 })
    await open('/functions')
    await tabTo('Platforms')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Platforms' }).waitFor()
    const rowOf = (host: string) => page.getByRole('row', { name: new RegExp(host) }).textContent()
    expect(await rowOf('x2b4k')).toMatch(/gone.*21 s ago/)
    expect(await rowOf('9q7mz')).toMatch(/10\.0\.0\.5.*running/)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Platforms')
  })

  it('says that this platform keeps its data in files, and that PostgreSQL is needed for sharing', async () => {
    shown = empty
    await open('/platforms')
    await page.getByRole('heading', { name: 'This platform keeps its data in files' }).waitFor()
    expect(await page.locator('main').textContent()).toContain('PostgreSQL')
    expect(await page.getByRole('table').count()).toBe(0)
  })
})

describe('the page of a function', () => {
  it('lists only invocations that failed, and shows the problems that their verdicts name', async () => {
    shown = full
    await page.setViewportSize({ width: 1200, height: 800 })
    await open('/functions/shop')
    const verdicts = page.locator('.invocations tbody td:nth-child(3)')
    expect(await verdicts.count()).toBe(10)
    const texts = await verdicts.allTextContents()
    expect(texts.slice(0, 2)).toEqual(['✕answered 500 Internal Server Error', '!answered 404 Not Found'])
    for (const text of texts.slice(2))
      expect(text).toContain('the answer breaks the contract: /body: expected string')
    expect(await page.locator('.figures').textContent()).toContain('17 of 1,717 failed')
  })

  it('has two plots of equal height, whose maximum is shown above the lines', async () => {
    const boxes = await Promise.all((await page.locator('.plot').all()).map(each => each.boundingBox()))
    expect(boxes.map(box => box?.height)).toEqual([boxes[0]?.height, boxes[0]?.height])
    for (const each of await page.locator('.plot-frame').all()) {
      const label = (await each.locator('.plot-most').boundingBox())!
      expect(label.y + label.height).toBeLessThanOrEqual((await each.locator('svg').boundingBox())!.y)
    }
  })
})

it('the story of an invocation shows invocations and mails in chronological order', async () => {
  shown = full
  await open('/invocations/1038')
  expect(await page.locator('.chain li :is(a, strong)').allTextContents()).toEqual([
    'POST /orders',
    'Mail: Thank you for your order 4712',
    'mail "Thank you for your order 4712"',
    '1 message of orders',
    '1 message of orders',
  ])
})

it('the mailbox selection shows how many mails are in each folder', async () => {
  shown = full
  await open('/mail/mailboxes')
  expect(await page.getByLabel('Mailbox').locator('option').first().textContent()).toBe(
    'bob@office.example: 2 in the inbox, 1 junk',
  )
})

describe('the page of an invocation that went wrong', () => {
  it('shows its log and the first frame of its own code beside the verdict, and folds frames of libraries', async () => {
    shown = full
    await page.setViewportSize({ width: 1200, height: 800 })
    await open('/invocations/1038')
    expect(await page.locator('.own-frame').textContent()).toBe('at ship (file:///shop/ship-orders.ts:14:11)')
    const [verdict, log] = await Promise.all(
      ['.verdict', '.log'].map(each => page.locator(each).boundingBox()),
    )
    expect(log!.y).toBe(verdict!.y)
    expect(log!.x).toBeGreaterThan(verdict!.x + verdict!.width)
    const folded = page.locator('.log details')
    expect(await folded.locator('summary').allTextContents()).toEqual([
      '2 frames of libraries',
      '1 frame of libraries',
    ])
    expect(await page.getByText('warehouse/retry.js').isVisible()).toBe(false)
    await folded.first().locator('summary').click()
    expect(await page.getByText('warehouse/retry.js').isVisible()).toBe(true)
  })

  it('hints at --unmasked where its log is masked, and shows the event in the names of its dialect', async () => {
    shown = (name, request) =>
      name === 'invocation'
        ? {
            ...(answers.invocation as object),
            eventInDialect: '{"Records":[{"eventSource":"aws:sqs"}]}',
            logs: [{ stream: 'out', text: 'The code is ***.' }],
          }
        : full(name, request)
    await open('/invocations/1038')
    expect(await page.locator('main').textContent()).toContain('signalbox dev --unmasked')
    const event = page.getByRole('region', { name: 'the event' })
    expect(await event.textContent()).toContain('aws:sqs')
    await page.getByRole('button', { name: 'In the names of the contract' }).click()
    expect(await event.textContent()).toContain('cloud:queue')
    expect(await found()).toEqual([])
  })
})

it('a trial begins with a sample of the function’s own family', async () => {
  shown = full
  const sample = () => page.getByLabel('Begin with').inputValue()
  await open('/try/event?function=sign-up')
  expect(await sample()).toBe('PreSignUp_SignUp')
  await page.getByLabel('Function').selectOption('ship-orders')
  expect(await sample()).toBe('queue')
})

it('a test sign-in takes the answer to a custom challenge, whose code it shows', async () => {
  shown = full
  await open('/users/guests/sign-in')
  await page.getByLabel('User name').fill('ann')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'The challenge CUSTOM_CHALLENGE' }).waitFor()
  expect(await page.locator('.code').textContent()).toBe('880412')
  expect(await found()).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await widthOf()).toBeLessThanOrEqual(360)
  await page.getByLabel('Answer').fill('880412')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByRole('heading', { name: 'ID token' }).waitFor()
})

describe('the JSON of an invocation', () => {
  it('shows each problem at the value that causes it', async () => {
    shown = full
    await open('/invocations/1038')
    const problem = page.locator('.json-problem')
    expect(await problem.textContent()).toBe('expected string, was number 17')
    expect(await page.locator('.json-row.has-problem').textContent()).toContain('itemIdentifier')
  })

  it('can be searched, and Enter moves to a match', async () => {
    await open('/invocations/1038')
    await page.getByLabel('Search in the event').fill('SENDER')
    expect(await page.getByRole('status').filter({ hasText: /^1$/ }).count()).toBe(1)
    await page.keyboard.press('Enter')
    expect(await page.locator('.json-row.is-current').textContent()).toContain('SenderId')
  })
})

it('the console keeps the chosen theme after a reload', async () => {
  shown = full
  await page.setViewportSize({ width: 1200, height: 800 })
  await page.emulateMedia({ colorScheme: 'light' })
  await open('/functions')
  const ground = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  const light = await ground()
  await page.getByLabel('Theme').selectOption('dark')
  expect(await ground()).not.toBe(light)
  await page.reload()
  await page.locator('h1').waitFor()
  expect(await ground()).not.toBe(light)
  await page.getByLabel('Theme').selectOption('system')
  expect(await ground()).toBe(light)
})

it('new invocations appear at the top of the list, but not while the list is paused', async () => {
  shown = full
  await open('/invocations')
  const first = page.locator('tbody a').first()
  const [summary] = (answers.invocations as { readonly invocations: readonly object[] }).invocations
  const send = (id: number, text: string) =>
    server.push('invocations', { invocations: [{ ...summary, id, summary: text }], skipped: 0 })
  send(2000, 'GET /first')
  await page.getByRole('link', { name: 'GET /first' }).waitFor()
  expect(await first.textContent()).toBe('GET /first')
  await page.getByRole('button', { name: 'Pause' }).click()
  send(2001, 'GET /second')
  await page.getByRole('button', { name: 'Resume (1 new)' }).click()
  await page.getByRole('link', { name: 'GET /second' }).waitFor()
})
