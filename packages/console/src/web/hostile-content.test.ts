import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from './testing/browser.ts'
import { buildWeb } from './testing/built-web.ts'
import { fixtureAnswers } from './testing/fixture-answers.ts'
import { fixtureServer } from './testing/fixture-server.ts'
import { hostileContents } from './testing/hostile-contents.ts'
import { itemsWith, withContent } from './testing/with-content.ts'

const answers = fixtureAnswers(Date.now()) as { readonly [name: string]: unknown }
const huge = `<img src=x onerror=ran(1)>\u202e${'x'.repeat(10_000_000)}`

/** Routes that answer with a list, and how to make an answer of its items. */
const lists: { readonly [name: string]: (contents: readonly string[]) => unknown } = {
  invocations: contents => ({ invocations: itemsWith(itemsOf('invocations', 'invocations'), contents) }),
  functions: contents => itemsWith(itemsOf('functions'), contents),
  queues: contents => itemsWith(itemsOf('queues'), contents),
  mails: contents => itemsWith(itemsOf('mails'), contents),
  mailboxes: contents => itemsWith(itemsOf('mailboxes'), contents),
  mailbox: contents => itemsWith(itemsOf('mailbox'), contents),
  pools: contents => itemsWith(itemsOf('pools'), contents),
  users: contents => ({ users: itemsWith(itemsOf('users', 'users'), contents) }),
  poolMessages: contents => itemsWith(itemsOf('poolMessages'), contents),
  samples: contents => itemsWith(itemsOf('samples'), contents),
}

function itemsOf(name: string, field?: string): readonly unknown[] {
  const answer = answers[name]
  return (field === undefined ? answer : (answer as { [name: string]: unknown })[field]) as readonly unknown[]
}

const built = mkdtempSync(join(tmpdir(), 'signalbox-console-'))
let browser: Browser
let page: Page
let server: Awaited<ReturnType<typeof fixtureServer>>
let answer: (name: string) => unknown
let source = ''
const acted: string[] = []

beforeAll(async () => {
  buildWeb(built)
  browser = await startBrowser()
  server = await fixtureServer(
    built,
    name => (name === 'session' ? answers.session : answer(name)),
    () => source,
  )
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  await context.addInitScript(counting)
  await context.route(
    url => !url.href.startsWith(server.origin) && url.protocol !== 'data:',
    route => {
      acted.push(`requested ${route.request().url()}`)
      return route.abort()
    },
  )
  page = await context.newPage()
  page.on('pageerror', error => acted.push(String(error)))
  page.on('dialog', dialog => {
    acted.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', () => acted.push('popup'))
})

afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
  rmSync(built, { recursive: true, force: true })
})

/** Counts what the page still waits for. */
const counting = `{
  const original = window.fetch
  let pending = 0
  window.isWaiting = () => pending > 0
  window.fetch = (...input) => {
    pending++
    return original(...input).finally(() => setTimeout(() => pending--))
  }
  window.ran = () => { throw new Error('hostile content ran') }
  window.alert = window.ran
}`

/** Shows another page without loading the application again. Resolves when its answers are shown. */
function show(address: string): Promise<unknown> {
  return page.evaluate(`(async () => {
    history.pushState(null, '', ${JSON.stringify(`/console${address}`)})
    dispatchEvent(new Event('popstate'))
    const frame = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
    for (let quiet = 0; quiet < 2; quiet = window.isWaiting() ? 0 : quiet + 1) await frame()
  })()`)
}

/** What content has made of the page: elements, attributes and characters that must not be there. */
const census = `(() => {
  const allowed = new Set('A ABBR BDI BUTTON CODE DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE FORM H1 H2 H3 HEADER IFRAME INPUT LABEL LEGEND LI LINE NAV OL OPTGROUP OPTION P PATH PRE PROGRESS SEARCH SECTION SELECT SPAN STRONG SUMMARY SVG TABLE TBODY TD TEXTAREA TH THEAD TIME TITLE TR UL'.split(' '))
  const found = []
  for (const element of document.querySelectorAll('main *')) {
    if (!allowed.has(element.tagName.toUpperCase())) found.push('element ' + element.tagName)
    for (const { name, value } of element.attributes) {
      if (/^on/.test(name)) found.push('attribute ' + name)
      if (/^(?:href|src|action|formaction)$/.test(name) && !value.startsWith('/console/')) found.push(name + ' ' + value.slice(0, 80))
    }
    if (element.tagName === 'IFRAME' && element.getAttribute('sandbox') !== '') found.push('frame without sandbox')
  }
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest('textarea')) continue
    const characters = node.data.match(/[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]/)
    if (characters) found.push('a character that acts: ' + escape(characters[0]))
  }
  if (({}).isAdmin || window.isAdmin) found.push('polluted prototype')
  return found
})()`

const encoded = (text: string) => encodeURIComponent(text.slice(0, 500).toWellFormed())

/** Every content on its own page takes its time. */
const longest = 300_000

/** Pages about one thing. Each has its own number, so that the application asks anew. */
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
}

it('has at least 200 different contents', () => {
  expect(new Set(hostileContents).size).toBe(hostileContents.length)
  expect(hostileContents.length).toBeGreaterThanOrEqual(200)
})

describe('hostile content runs nothing, loads nothing, and shows as text', () => {
  beforeAll(async () => {
    answer = name => answers[name]
    await page.goto(`${server.origin}/console/functions`)
    await page.locator('h1').waitFor()
  })

  it.each(Object.keys(lists).map(name => [name]))('in each text of the list %s', async name => {
    acted.length = 0
    // Longer texts come below, one by one.
    const contents = hostileContents.filter(content => content.length < 5000)
    answer = each => lists[each]?.(contents) ?? answers[each]
    const address = {
      invocations: '/invocations',
      functions: '/functions',
      queues: '/queues',
      mails: '/mail',
      mailboxes: '/mail/mailboxes',
      mailbox: '/mail/mailboxes/a',
      pools: '/users',
      users: '/users/staff',
      poolMessages: '/users/staff/messages',
      samples: '/try/event',
    }[name]!
    await show('/mail/send')
    await show(address)
    expect([await page.evaluate(census), acted]).toEqual([[], []])
    // A list shows the rows that fit, and the fonts of the machine decide how many these are.
    expect(await page.evaluate('document.querySelectorAll("main *").length')).toBeGreaterThan(50)
  })

  it.each(Object.entries(places))(
    'in each text of the page: %s',
    async (_name, address) => {
      acted.length = 0
      for (const [number, content] of hostileContents.entries()) {
        answer = name => withContent(answers[name], content)
        source = content
        await show(address(number, content))
        const found = await page.evaluate(census)
        if (acted.length > 0 || (found as unknown[]).length > 0)
          expect([content.slice(0, 200), found, acted]).toEqual([content.slice(0, 200), [], []])
      }
    },
    longest,
  )

  it(
    'in the HTML of a mail, whose frame is sandboxed',
    async () => {
      acted.length = 0
      for (const [number, content] of hostileContents.entries()) {
        const mail = structuredClone(answers.mailboxMail) as { html: string }
        mail.html = content
        answer = name => (name === 'mailboxMail' ? mail : answers[name])
        await show(`/mail/mailboxes/f/${number}?view=html`)
        if (acted.length > 0) expect([content.slice(0, 200), acted]).toEqual([content.slice(0, 200), []])
      }
      expect(await page.evaluate('document.querySelector("iframe").getAttribute("sandbox")')).toBe('')
      await show('/mail/send')
      expect(acted).toEqual([])
    },
    longest,
  )

  it('as values of 10 MB, of which a page shows the beginning', async () => {
    acted.length = 0
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
      '/queues/huge?message=0b9e7a54-2f7e-4ab5-9d1c-000000000000',
    ]) {
      await show(address)
      await page.getByText('onerror=ran(1)').first().waitFor()
      expect([await page.evaluate(census), acted]).toEqual([[], []])
      expect(await page.evaluate('document.querySelector("main").textContent.length')).toBeLessThan(200_000)
    }
  })
})
