import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startBrowser } from '@signalbox/console/web/testing/browser'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { addressOf, placeOf, repository } from './pages.ts'
import { generated, sections } from './sidebar.ts'
import { type StaticServer, serveFolder } from './static-server.ts'

const home = join(import.meta.dirname, '..')
const out = mkdtempSync(join(tmpdir(), 'signalbox-site-'))
let browser: Browser
let page: Page
let server: StaticServer
const problems: string[] = []

beforeAll(async () => {
  const vitepress = join(repository, 'node_modules/vitepress/bin/vitepress.js')
  execFileSync(process.execPath, [vitepress, 'build', home, '--outDir', out], { stdio: 'pipe' })
  server = await serveFolder(out)
  browser = await startBrowser()
  page = await openTab()
  // The build takes minutes on a machine that has other work.
}, 1_200_000)

afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
  rmSync(out, { recursive: true, force: true })
})

const entries = Object.values(sections).flat()
const generatedEntries = generated.flatMap(([, each]) => each)
const html = (address: string) =>
  readFileSync(join(out, `${address.endsWith('/') ? `${address}index` : address}.html`), 'utf8')

/** Returns the address of a built file, such as `/deploy/` for `deploy/index.html`. */
const builtAddress = (path: string) => `/${path.replace(/\.html$/, '').replace(/(^|\/)index$/, '$1')}`

/** One page of each kind: the first page, prose with code, wide tables, pictures, generated pages, and what is missing. */
const kinds = [
  'README.md',
  'packages/load-balancer/README.md',
  'docs/platform/configuration.md',
  'docs/platform/commands.md',
  'docs/console/README.md',
  'docs/quick-start.md',
  'docs/glossary.md',
  'docs/contract/user-pool.md',
  'packages/site/generated/api/queue.md',
  '404.md',
]

/**
 * The rules of axe that depend on colours. The others find the same in both themes. Colours come from the themes, and not
 * from a page, so that one page of each kind has them all.
 */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** How many pages are open at the same time. While one loads, axe reads another. */
const tabs = 3

async function openTab(): Promise<Page> {
  const tab = await browser.newPage({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce' })
  tab.on('console', message => problems.push(`${tab.url()}: ${message.text()}`))
  tab.on('pageerror', error => problems.push(`${tab.url()}: ${error}`))
  return tab
}

async function open(path: string): Promise<void> {
  await page.goto(`${server.origin}${addressOf(path)}`)
  await page.waitForFunction("document.querySelector('#app').__vue_app__ !== undefined")
}

it('has a page for each entry of the sidebar', () => {
  const missing = entries.filter(([, path]) => !html(addressOf(path)).includes('<h1'))
  expect(missing).toEqual([])
  expect(entries.length).toBeGreaterThan(50)
})

it('has an entry of the sidebar for each page, or a link to it on another page', () => {
  const built = globSync('**/*.html', { cwd: out }).filter(path => path !== '404.html')
  const linked = new Set(built.flatMap(path => linksOf(path).map(({ to }) => to.pathname)))
  const lost = built.map(builtAddress).filter(address => !linked.has(address))
  expect(lost).toEqual([])
})

it('only a page in the sidebar has a next page, which is the one below', () => {
  const next = (page: string) =>
    /class="[^"]*pager-link next"[^>]*? href="([^"]+)"/.exec(html(addressOf(page)))?.[1]
  expect(next('docs/decisions/mail.md')).toBeUndefined()
  const pages = entries.map(([, page]) => page)
  expect(pages.slice(0, -1).map(next)).toEqual(pages.slice(1).map(addressOf))
})

/** Returns the links of a page to the site itself. The frame of a page, such as its sidebar, is written at build, too. */
function linksOf(path: string): readonly { readonly from: string; readonly to: URL }[] {
  const origin = 'http://site.example'
  return [...readFileSync(join(out, path), 'utf8').matchAll(/<a [^>]*?href="([^"]+)"/g)]
    .map(([, href]) => ({
      from: path,
      to: new URL(href!.replaceAll('&amp;', '&'), `${origin}${builtAddress(path)}`),
    }))
    .filter(({ to }) => to.origin === origin)
}

it('has no link to a page or an anchor that does not exist', () => {
  const built = globSync('**/*.html', { cwd: out })
  const ids = new Map(
    built.map(path => {
      const address = builtAddress(path)
      return [
        address,
        new Set([...readFileSync(join(out, path), 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)),
      ]
    }),
  )
  const broken = built
    .flatMap(path => linksOf(path))
    .filter(({ to }) => {
      const found = ids.get(to.pathname)
      return found === undefined || (to.hash !== '' && !found.has(decodeURIComponent(to.hash.slice(1))))
    })
  expect([...new Set(broken.map(({ from, to }) => `${from} → ${to.pathname}${to.hash}`))]).toEqual([])
})

it('describes each export of each package, with its example', () => {
  const text = html('/api/queue').replaceAll(/<[^>]*>/g, '')
  for (const name of ['index-queue', 'index-discard', 'contract-QueueEvent', 'testing-fifoEvent'])
    expect(html('/api/queue')).toContain(` id="${name}"`)
  expect(text).toContain('function discard(reason?: unknown): never')
  expect(text).toContain('if (attempt &gt; 5) discard(')
  expect(text).toContain('Throws: InvalidOptionError for an unknown option')
  expect(html('/api/queue')).toContain('href="/contract/queue#response"')
  const pages = generatedEntries.map(([, path]) => html(addressOf(path)))
  expect(pages.length).toBeGreaterThan(12)
  for (const each of pages) expect(each.match(/<h[23]/g)!.length).toBeGreaterThan(1)
  const silent = pages.flatMap(each => [...each.matchAll(/<h3 id="([^"]+)"(?:(?!<\/h3>).)*<\/h3><div/g)])
  expect(silent.map(([, id]) => id)).toEqual([])
})

it('no list has run together, no text has an anchor without a link, and no name of a heading has Markdown in it', () => {
  const found = globSync('**/*.html', { cwd: out }).flatMap(path => {
    const [, text = ''] = readFileSync(join(out, path), 'utf8').split('class="vp-doc')
    const words = text.replaceAll(/<(pre|code|a)\b[\s\S]*?<\/\1>/g, '…').replaceAll(/<[^>]*>/g, '')
    const labels = text.match(/ aria-label="[^"]*(?:`|\{:|\*\*)[^"]*"/g) ?? []
    return [...labels, ...words.matchAll(/.{0,40}(?:[.:;] [-*•] |(?:^|[\s(])#[a-z]+\.[a-z]).{0,40}/g)].map(
      each => `${path} ${each}`,
    )
  })
  expect(found).toEqual([])
})

it('the changelog has what is not released yet', () => {
  expect(html('/changelog')).toMatch(/Not released yet.*@signalbox\/queue/s)
})

it('finds a function by the search', async () => {
  await open('README.md')
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('fifoRecord')
  await page.locator('#localsearch-list a[href*="/api/queue"]').first().waitFor()
})

it('sends less than 150 kB for the first page', async () => {
  server.takeSent()
  await open('README.md')
  await page.waitForLoadState('networkidle')
  const sent = server.takeSent()
  expect(sent).toBeGreaterThan(20_000)
  expect(sent).toBeLessThan(150_000)
})

it('finds a page by a search that needs no other server', async () => {
  await open('README.md')
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('partial batch')
  await page.locator('#localsearch-list a.result').first().waitFor()
  expect(await page.locator('#localsearch-list').textContent()).toMatch(/queue/i)
})

it.each(kinds)('%s has no problem that axe finds, in either theme', async path => {
  await page.emulateMedia({ colorScheme: 'light' })
  await open(path)
  await page.evaluate(axe.source)
  const light = await violations(page, {})
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html.dark').waitFor({ state: 'attached' })
  expect({ light, dark: await violations(page, { runOnly: rulesOfColours }) }).toEqual({
    light: [],
    dark: [],
  })
})

it('no page or table of texts scrolls sideways at a width of 360 pixels, and no page has a broken picture, or a problem that axe finds', async () => {
  // What stands in place of a missing page is made by scripts. It is one of the kinds above.
  const left = globSync('**/*.html', { cwd: out, exclude: ['404.html'] }).map(builtAddress)
  expect(left.length).toBeGreaterThan(entries.length)
  const found: string[] = []
  const visitSome = async () => {
    const tab = await browser.newPage({ viewport: narrow, reducedMotion: 'reduce' })
    // The scripts of the site change none of this, and take most of the time.
    await tab.route('**/*.js', route => route.abort())
    for (let address = left.pop(); address !== undefined; address = left.pop())
      for (const problem of await visit(tab, address)) found.push(`${address} ${problem}`)
    await tab.close()
  }
  await Promise.all(Array.from({ length: tabs }, visitSome))
  expect(found).toEqual([])
})

const narrow = { width: 360, height: 740 }

/** Loads also the pictures that are below, and those of the other theme. A broken one has no width afterwards. */
const loadPictures = `Promise.all([...document.images].map(each => {
  each.loading = 'eager'
  return each.decode().catch(() => {})
}))`

/** Opens a page and returns what is wrong with it. */
async function visit(tab: Page, address: string): Promise<readonly string[]> {
  await tab.goto(`${server.origin}${address}`)
  await tab.evaluate(axe.source)
  const rules = Object.fromEntries(rulesOfColours.map(rule => [rule, { enabled: false }]))
  const found = [...(await violations(tab, { rules }))]
  const broken = '[...document.images].filter(each => each.naturalWidth === 0).map(({ src }) => src)'
  await tab.evaluate(loadPictures)
  found.push(...((await tab.evaluate(broken)) as string[]).map(src => `broken picture ${src}`))
  const wide = `[...document.querySelectorAll('table.stacked')].filter(each => each.scrollWidth > each.clientWidth).length`
  const tables = await tab.evaluate(wide)
  if (tables !== 0) found.push(`${tables} tables are wider than the page`)
  const width = await tab.evaluate('document.documentElement.scrollWidth')
  if (width !== narrow.width) found.push(`${width} pixels wide`)
  return found
}

/** Returns what axe finds. Results of rules that a page keeps are left out, because they take most of the time. */
async function violations(tab: Page, options: axe.RunOptions): Promise<readonly string[]> {
  const words = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const found = await tab.evaluate(`axe.run(${words}).then(({ violations }) => violations)`)
  return (found as axe.Result[]).map(({ id, nodes }) => `${id} ${nodes.length}: ${nodes[0]!.html}`)
}

it('llms.txt lists each page of the sidebar, and llms-full.txt has their texts', () => {
  const list = readFileSync(join(out, 'llms.txt'), 'utf8')
  const full = readFileSync(join(out, 'llms-full.txt'), 'utf8')
  for (const [text, path] of entries) {
    expect(list).toContain(`- [${text}](/${placeOf(path)}): `)
    expect(full).toContain(readFileSync(join(out, placeOf(path)), 'utf8'))
  }
})

it('no page writes to the console of the browser', () => {
  expect(problems).toEqual([])
})
