import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { startBrowser } from './browser.ts'
import { buildWeb } from './built-web.ts'
import { fixtureServer } from './fixture-server.ts'
import { fixtureNumbers } from './fixtures/answers.ts'
import { fixturePlatform } from './fixtures/platform.ts'
import { pageAddresses } from './page-addresses.ts'

/**
 * Makes a screenshot of each page, in docs/console or in the folder that `npm run screenshots -- FOLDER` names. All
 * pages are shown in the light theme, and some also on a narrow screen. Those that a page of the documentation shows are also
 * made in the dark theme, for readers of the site with that theme. The clock stands still, so that the pictures always show
 * the same times.
 */
const folder = process.argv[2] ?? fileURLToPath(new URL('../../../../../docs/console', import.meta.url))
const wanted = process.argv.slice(3)
const now = Date.parse('2026-11-23T09:41:00Z')
mkdirSync(folder, { recursive: true })
const built = mkdtempSync(join(tmpdir(), 'signalbox-console-'))
buildWeb(built)
const browser = await startBrowser()
await using server = await fixtureServer(built, fixturePlatform(now))

const further: Readonly<Record<string, [string, 'light' | 'dark', number]>> = {
  'invocations-narrow': ['/invocations', 'light', 360],
  'invocation-narrow': ['/invocations/1038', 'light', 360],
  'queue-narrow': ['/queues/orders-failed', 'dark', 360],
  'access-log-narrow': ['/access', 'dark', 360],
  'platforms-narrow': ['/platforms', 'dark', 360],
}
/** The pages whose pictures the documentation shows. */
const shown = [
  ...[
    'access-log',
    'dead-letters',
    'function',
    'invocation',
    'invocations',
    'mail',
    'mail-details',
    'platforms',
  ],
  ...['queue', 'try-event', 'try-request', 'user'],
]
const addresses: Readonly<Record<string, string>> = pageAddresses
const all = {
  ...Object.fromEntries(
    Object.entries(pageAddresses).map(([name, address]) => [name, [address, 'light', 1080] as const]),
  ),
  ...Object.fromEntries(shown.map(name => [`${name}-dark`, [addresses[name]!, 'dark', 1080] as const])),
  ...further,
}
for (const [file, [address, colorScheme, width]] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(file)) continue
  const name = file.replace(/-dark$/, '')
  const page = await browser.newPage({
    viewport: { width, height: 480 },
    colorScheme,
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  })
  await page.clock.setFixedTime(now)
  await page.goto(`${server.origin}/console${address}`)
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  server.push('numbers', fixtureNumbers(now))
  if (name === 'try-request') {
    await page.getByLabel('Path and query').fill('/orders/7')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
  }
  if (name === 'try-event') {
    await page.getByLabel('Function').selectOption('ship-orders')
    await page.getByRole('button', { name: 'Edit as a form' }).click()
    await page.getByRole('button', { name: 'Invoke' }).click()
    await page.getByRole('link', { name: /Invocation #/ }).waitFor()
  }
  if (name === 'sign-in') {
    await page.getByLabel('User name').fill('ann')
    await page.getByLabel('Password').fill('Right-7even')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'ID token' }).waitFor()
  }
  if (name === 'sign-in-challenge') {
    await page.getByLabel('User name').fill('ann')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Answer').fill('880412')
  }
  // Each picture is as high as its page, so that short pages have no empty space below.
  const height = await heightOf(page)
  const most = address === '/invocations' ? 900 : 1200
  await page.setViewportSize({ width, height: Math.min(height, most) })
  await page.mouse.move(0, 0)
  await page.screenshot({ path: join(folder, `${file}.png`) })
  await page.close()
}
await browser.close()
rmSync(built, { recursive: true })

/** Returns the height of a page, after the answers that change it have arrived. */
async function heightOf(page: Page): Promise<number> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight')
  await page.waitForTimeout(500)
  return height === (await page.evaluate('document.documentElement.scrollHeight')) ? height : heightOf(page)
}
