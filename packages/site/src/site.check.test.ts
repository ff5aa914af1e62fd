import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startBrowser } from '@signalbox/console/web/testing/browser'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { addressOf, repository } from './pages.ts'
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
  page = await browser.newPage({ viewport: { width: 1200, height: 800 }, reducedMotion: 'reduce' })
  page.on('console', message => problems.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', error => problems.push(`${page.url()}: ${error}`))
})

afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
  rmSync(out, { recursive: true, force: true })
})

const entries = Object.values(sections).flat()
const generatedEntries = generated.flatMap(([, each]) => each)
const html = (address: string) =>
  readFileSync(join(out, `${address.endsWith('/') ? `${address}index` : address}.html`), 'utf8')

/** One page of each kind: the first page, prose with code, wide tables, pictures, and generated pages. */
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
]

/** Returns the address of a built file, such as `/deploy/` for `deploy/index.html`. */
const builtAddress = (path: string) => `/${path.replace(/\.html$/, '').replace(/(^|\/)index$/, '$1')}`

/** The rules of axe that depend on colours. The others find the same in both themes. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

async function open(path: string): Promise<void> {
  await page.goto(`${server.origin}${addressOf(path)}`)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
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
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await open(path)
    await page.evaluate(axe.source)
    const options = { ...(colorScheme === 'dark' && { runOnly: rulesOfColours }) }
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as axe.AxeResults
    found.push(
      ...violations.map(({ id, nodes }) => `${colorScheme} ${id} ${nodes.length}: ${nodes[0]!.html}`),
    )
  }
  expect(found).toEqual([])
})

it('no page of the sidebar scrolls sideways at a width of 360 pixels', async () => {
  // The scripts of a page do not change its width, and take most of the time.
  const narrow = await browser.newPage({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false })
  const wide: string[] = []
  for (const [, path] of [...entries, ...generatedEntries]) {
    await narrow.goto(`${server.origin}${addressOf(path)}`)
    const width = await narrow.evaluate('document.documentElement.scrollWidth')
    if (width !== 360) wide.push(`${path}: ${width}`)
  }
  await narrow.close()
  expect(wide).toEqual([])
})

it('llms.txt lists each page of the sidebar, and llms-full.txt has their texts', () => {
  const list = readFileSync(join(out, 'llms.txt'), 'utf8')
  const full = readFileSync(join(out, 'llms-full.txt'), 'utf8')
  for (const [text, path] of entries) {
    expect(list).toContain(`- [${text}](${addressOf(path)}): `)
    expect(full).toContain(readFileSync(join(repository, path), 'utf8'))
  }
})

it('no page writes to the console of the browser', () => {
  expect(problems).toEqual([])
})
