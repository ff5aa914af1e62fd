import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { startBrowser } from './testing/browser.ts'
import { buildWeb } from './testing/built-web.ts'
import { fixtureServer } from './testing/fixture-server.ts'
import { fixtureAnswers } from './testing/fixtures/answers.ts'
import { describedPage } from './testing/fixtures/described-page.ts'
import { fixtureChallenge } from './testing/fixtures/users.ts'
import { hostileContents, hostileTexts } from './testing/hostile-contents.ts'
import { type WatchedPage, watchedPage } from './testing/watched-page.ts'
import { itemsWith, withContent } from './testing/with-content.ts'

const answers = fixtureAnswers(Date.now()) as { readonly [name: string]: unknown }
const huge = `<img src=x onerror=ran(1)>\u202e${'x'.repeat(10_000_000)}`

/** For each route that returns a list, a function that makes such a list from hostile strings. */
const lists: { readonly [name: string]: (contents: readonly string[]) => unknown } = {
  invocations: contents => ({ invocations: itemsWith(itemsOf('invocations', 'invocations'), contents) }),
  functions: contents => itemsWith(itemsOf('functions'), contents),
  queues: contents => itemsWith(itemsOf('queues'), contents),
  described: contents => itemsWith(itemsOf('queues'), contents),
  mails: contents => itemsWith(itemsOf('mails'), contents),
  mailboxes: contents => itemsWith(itemsOf('mailboxes'), contents),
  mailbox: contents => itemsWith(itemsOf('mailbox'), contents),
  pools: contents => itemsWith(itemsOf('pools'), contents),
  users: contents => ({ users: itemsWith(itemsOf('users', 'users'), contents) }),
  poolMessages: contents => itemsWith(itemsOf('poolMessages'), contents),
  poolChallenges: contents => itemsWith(itemsOf('poolChallenges'), contents),
  accessLog: contents => itemsWith(itemsOf('accessLog'), contents),
  platforms: contents => ({
    isShared: true,
    platforms: itemsWith(itemsOf('platforms', 'platforms'), contents),
  }),
  samples: contents => itemsWith(itemsOf('samples'), contents),
}

function itemsOf(name: string, field?: string): readonly unknown[] {
  const answer = answers[name]
  return (field === undefined ? answer : (answer as { [name: string]: unknown })[field]) as readonly unknown[]
}

const built = mkdtempSync(join(tmpdir(), 'signalbox-console-'))
let browser: Browser
let watched: WatchedPage
let server: Awaited<ReturnType<typeof fixtureServer>>
let answer: (name: string, content: string) => unknown
/** The texts that pages show one after another. */
let texts: readonly string[]

beforeAll(async () => {
  buildWeb(built)
  browser = await startBrowser()
  server = await fixtureServer(
    built,
    (name, { headers }) => (name === 'session' ? answers.session : answer(name, contentFor(headers))),
    contentFor,
  )
  watched = await watchedPage(browser)
})

afterAll(async () => {
  await watched?.[Symbol.asyncDispose]()
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
  rmSync(built, { recursive: true, force: true })
})

/** Returns the content of the page that sends a request. */
function contentFor(headers: IncomingHttpHeaders): string {
  return texts[Number(headers['x-number'])] ?? ''
}

const encoded = (text: string) => encodeURIComponent(text.slice(0, 500).toWellFormed())

/** The time limit in milliseconds of a test that opens a page for each hostile string. */
const longest = 300_000

/**
 * The addresses of detail pages. Each contains a number, so that the application requests new data each time.
 */
const places: { readonly [name: string]: (number: number, content: string) => string } = {
  invocation: number => `/invocations/${number}`,
  function: (number, content) => `/functions/${encoded(`${number}${content}`)}`,
  queue: number => `/queues/${number}`,
  message: (number, content) => `/queues/m${number}?message=${encoded(content)}`,
  'accepted mail': number => `/mail/accepted/${number}`,
  'headers of a mail': number => `/mail/accepted/h${number}?view=headers`,
  'text of a mail': number => `/mail/mailboxes/a/${number}?view=text`,
  'source of a mail': number => `/mail/mailboxes/s/${number}?view=source`,
  user: (number, content) => `/users/staff/user/${encoded(`${number}${content}`)}`,
  'event to try': number => `/try/event?again=${number}`,
  'form of an event': number => `/try/event?sample=${number}`,
  'answer to a request': number => `/try/request?${number}`,
  'result of an event': number => `/try/event?sample=r${number}`,
  'tokens of a sign-in': number => `/users/staff/sign-in?${number}`,
  'challenge of a sign-in': number => `/users/staff/sign-in?c${number}`,
  'refusals of a test mail': number => `/mail/send?${number}`,
}

/** The pages that show the content only after their form is submitted. */
const submitted = /^(?:answer|result|tokens|challenge|refusals) /

/** Returns whether a text is JSON, which the event editor shows with indentation. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

it('the list of hostile content has at least 200 different entries', () => {
  expect(new Set(hostileContents).size).toBe(hostileContents.length)
  expect(hostileContents.length).toBeGreaterThanOrEqual(200)
})

it('each hostile content stands in a text of the list for pages that show one text at a time', () => {
  const missing = hostileContents.filter(content => !hostileTexts.some(text => text.includes(content)))
  expect(missing).toEqual([])
})

describe('hostile content', () => {
  beforeEach(async () => {
    watched.acted.length = 0
    texts = hostileTexts
    const pages = [...(answers.pages as readonly object[]), describedPage]
    answer = name => (name === 'pages' ? pages : answers[name])
    await watched.page.goto(`${server.origin}/console/functions`)
    await watched.page.locator('h1').waitFor()
  })

  it.each(Object.keys(lists).map(name => [name]))(
    'is shown as text, runs no script and loads nothing in the list "%s"',
    async name => {
      const address = {
        invocations: '/invocations',
        functions: '/functions',
        queues: '/queues',
        described: '/described',
        mails: '/mail',
        mailboxes: '/mail/mailboxes',
        mailbox: '/mail/mailboxes/a',
        pools: '/users',
        users: '/users/staff',
        poolMessages: '/users/staff/messages',
        poolChallenges: '/users/staff/messages',
        accessLog: '/access',
        platforms: '/platforms',
        samples: '/try/event',
      }[name]!
      // The list of invocations has at most 100 rows.
      for (let first = 0; first < hostileContents.length; first += 90) {
        const contents = hostileContents.slice(first, first + 90)
        answer = each =>
          lists[name === 'described' && each === 'queues' ? name : each]?.(contents) ?? answers[each]
        await watched.show('/mail/send')
        expect([await watched.show(address, contents), watched.acted]).toEqual([[], []])
      }
    },
    longest,
  )

  it.each(Object.entries(places))(
    'is shown as text, runs no script and loads nothing on the page "%s"',
    async (name, address) => {
      await watched.show(address(-1, 'begin'))
      if (name === 'form of an event')
        await watched.page.getByRole('button', { name: 'Edit as a form' }).click()
      answer = (each, content) =>
        name === 'challenge of a sign-in' && each === 'signIn'
          ? withContent(fixtureChallenge(Date.now()), content)
          : withContent(answers[each], content)
      const pages = texts.map((content, number) => ({
        address: address(number, content),
        content: name === 'event to try' && isJson(content) ? undefined : content,
      }))
      expect(await watched.showEach(pages, { isSubmitted: submitted.test(name) })).toEqual([])
      expect(watched.acted).toEqual([])
    },
    longest,
  )

  it(
    'runs no script and loads nothing in the HTML of a mail, which is shown in a sandboxed frame',
    async () => {
      answer = (name, html) =>
        name === 'mailboxMail' ? { ...(answers.mailboxMail as object), html } : answers[name]
      texts = hostileContents
      const pages = texts.map((_, number) => ({
        address: `/mail/mailboxes/f/${number}?view=html`,
      }))
      expect(await watched.showEach(pages)).toEqual([])
      expect(await watched.page.evaluate('document.querySelector("iframe").getAttribute("sandbox")')).toBe('')
      await watched.show('/mail/send')
      expect(watched.acted).toEqual([])
    },
    longest,
  )

  it('runs no script and loads nothing in a 10 MB value, of which the page shows only the beginning', async () => {
    answer = name => {
      if (name === 'invocation') {
        const details = structuredClone(answers.invocation) as {
          event: string
          payload: string
          logs: object[]
        }
        details.event = JSON.stringify({ body: huge, [huge.slice(0, 1_000_000)]: 1 })
        details.payload = huge
        details.logs = [{ stream: 'out', text: huge }]
        return details
      }
      if (name === 'mailboxMail')
        return {
          ...(answers.mailboxMail as object),
          subject: huge.slice(0, 100_000),
          text: huge,
          headers: [['x', huge]],
        }
      if (name === 'queueMessages')
        return (answers.queueMessages as object[]).map(each => ({ ...each, body: huge }))
      return answers[name]
    }
    for (const address of [
      '/invocations/9999',
      '/mail/mailboxes/a/huge?view=text',
      '/mail/mailboxes/a/headers?view=headers',
      '/queues/huge?message=0b9e7a54-2f7e-4ab5-9d1c-000000000005',
    ]) {
      expect([await watched.show(address, [huge.slice(0, 20)]), watched.acted]).toEqual([[], []])
      expect(await watched.page.evaluate('document.querySelector("main").textContent.length')).toBeLessThan(
        200_000,
      )
    }
  })
})
