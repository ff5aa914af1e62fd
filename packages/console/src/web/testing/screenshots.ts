import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startBrowser } from './browser.ts'
import { buildWeb } from './built-web.ts'
import { fixtureAnswers, fixtureNumbers } from './fixture-answers.ts'
import { fixtureServer } from './fixture-server.ts'
import { pageAddresses } from './page-addresses.ts'

/**
 * Makes a screenshot of each page, in docs/console or in the folder of `npm run screenshots -- FOLDER`. All pages are
 * shown in the light theme, and some also in the dark theme or on a narrow screen.
 */
const folder = process.argv[2] ?? fileURLToPath(new URL('../../../../../docs/console', import.meta.url))
const wanted = process.argv.slice(3)
mkdirSync(folder, { recursive: true })
const built = mkdtempSync(join(tmpdir(), 'signalbox-console-'))
buildWeb(built)
const browser = await startBrowser()
const answers = fixtureAnswers(Date.now())
await using server = await fixtureServer(built, (name, [queue]) => {
  if (name === 'queue') return answers.queues.find(each => each.name === queue)
  if (queue === 'orders-failed') {
    if (name === 'queueMessages') return answers.queueMessages.slice(0, 2)
    // Two dead letters arrive one after the other.
    if (name === 'queueHistory')
      return answers.queueHistory.map(({ at, state }, index) => {
        const visible = index < 20 ? 0 : index < 60 ? 1 : 2
        return { at, state: { ...state, visible, inFlight: 0, oldestAge: Math.max(0, index - 20) * 1000 } }
      })
  }
  return (answers as { readonly [name: string]: unknown })[name]
})

const further: Readonly<Record<string, [string, 'light' | 'dark', number]>> = {
  'invocations-dark': ['/invocations', 'dark', 1080],
  'invocation-dark': ['/invocations/1038', 'dark', 1080],
  'invocations-narrow': ['/invocations', 'light', 360],
  'invocation-narrow': ['/invocations/1038', 'light', 360],
  'queue-narrow': ['/queues/orders-failed', 'dark', 360],
  'access-log-narrow': ['/access', 'dark', 360],
  'platforms-narrow': ['/platforms', 'dark', 360],
}
const all = {
  ...Object.fromEntries(
    Object.entries(pageAddresses).map(([name, address]) => [name, [address, 'light', 1080] as const]),
  ),
  ...further,
}
for (const [name, [address, colorScheme, width]] of Object.entries(all)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const page = await browser.newPage({
    viewport: { width, height: width < 500 ? 800 : 760 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  await page.goto(`${server.origin}/console${address}`)
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  server.push('numbers', fixtureNumbers(Date.now()))
  if (name === 'try-request') {
    await page.getByLabel('Path and query').fill('/orders/7')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
  }
  if (name === 'try-event') {
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
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.close()
}
await browser.close()
rmSync(built, { recursive: true })
