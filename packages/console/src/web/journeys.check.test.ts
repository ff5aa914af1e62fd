import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { bellModule } from '../testing/bell-source.ts'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'
import { startBrowser } from './testing/browser.ts'
import { buildServedWeb } from './testing/built-web.ts'

const password = 'Right-7even'
let setup: ConsolePlatform
let browser: Browser
let page: Page
/** Whether the function that ships orders has been repaired. */
let isMended = false
/** The errors of the browser, and its requests to other origins. */
const problems: string[] = []

beforeAll(async () => {
  buildServedWeb()
  const config = {
    functions: {
      shop: {
        handler: async ({ path, body }: { path: string; body: string }) => ({
          statusCode: 201,
          statusDescription: '201 Created',
          isBase64Encoded: false,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ path, got: JSON.parse(body) }),
        }),
      },
      ship: {
        timeout: 1,
        handler: async ({ Records }: { Records: readonly { body: string; messageId: string }[] }) => {
          for (const { body } of Records) {
            console.log(`shipping ${body}`)
            if (!isMended) throw new Error('no stock of tea-01')
          }
          return { batchItemFailures: [] }
        },
      },
      sort: {
        handler: async () => ({
          actions: [
            {
              allRecipients: true,
              action: { type: 'BOUNCE', parameters: { bounceMessage: 'Left the company' } },
            },
          ],
        }),
      },
    },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    queues: {
      orders: {
        function: 'ship',
        deadLetter: { queue: 'orders-failed', maxReceiveCount: 1 },
        visibilityTimeout: 2,
      },
      'orders-failed': {},
    },
    queueListener: { port: 0 },
    mail: {
      port: 0,
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'sort', fallback: 'BOUNCE' }],
    },
    userPools: { staff: { clients: { web: { flows: ['password'] } } } },
    userPoolListener: { port: 0 },
    bells: { door: '1234', garden: '5678' },
  } as const
  setup = await consolePlatform(config, {}, [bellModule])
  browser = await startBrowser()
  page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
  page.on('pageerror', error => problems.push(String(error)))
  page.on('console', message => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('request', request => {
    if (!request.url().startsWith(setup.origin)) problems.push(`requested ${request.url()}`)
  })
  await page.goto(await setup.platform.consoleLink())
  await page.getByRole('heading', { name: 'Invocations' }).waitFor()
})

afterAll(async () => {
  await browser?.close()
  await setup?.[Symbol.asyncDispose]()
})

const open = (address: string) => page.goto(`${setup.origin}/console${address}`)

describe('a visitor of the console', () => {
  it('opens the console with a link, whose token disappears from the address bar', async () => {
    expect(page.url()).toBe(`${setup.origin}/console/`)
    expect(await page.getByRole('status').first().textContent()).toMatch(/Live|Connecting/)
  })

  it('is asked for the console link when there is no session', async () => {
    const other = await browser.newContext()
    const visitor = await other.newPage()
    await visitor.goto(`${setup.origin}/console/queues`)
    await visitor.getByRole('heading', { name: 'Open the console with its link' }).waitFor()
    await other.close()
  })

  it('sees and uses the page of a source that this application does not know', async () => {
    await open('/')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Bells' }).click()
    await page.getByRole('heading', { name: 'Bells' }).waitFor()
    const row = page.getByRole('row', { name: /^garden/ })
    expect(await row.getByRole('cell').allInnerTexts()).toEqual([
      '5678',
      '0',
      expect.stringContaining('Ring'),
    ])
    await row.getByRole('button', { name: 'Ring' }).click()
    await row.getByRole('cell', { name: '1', exact: true }).waitFor()
    for (const name of ['garden', 'door']) {
      await page
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .getByRole('button', { name: 'Remove' })
        .click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('row', { name: new RegExp(`^${name}`) }).waitFor({ state: 'detached' })
    }
    await page.getByText('The configuration has no bell.').waitFor()
    await open('/bells/door')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    expect(problems).toEqual([])
  })

  it('finds out why a message failed, and redrives it after the function is repaired', async () => {
    isMended = false
    await open('/queues/orders')
    await page.getByLabel('Body').fill('{"order": 4711}')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Sent as').waitFor()
    await open('/queues')
    await page
      .getByRole('row', { name: /^orders / })
      .getByRole('link', { name: '1' })
      .click()
    await page.getByRole('heading', { name: 'orders-failed' }).waitFor()
    await page.getByRole('button', { name: /"order": 4711/ }).click()
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Queues Dead letters: 1' }).waitFor()
    await pages.getByRole('link', { name: 'Functions Failed calls in the last hour: 1' }).waitFor()
    expect(await pages.getByRole('link', { name: /Access log|Platforms/ }).count()).toBe(0)
    const why = page.getByRole('region', { name: 'List of invocations' })
    await why.getByRole('link').first().click()
    await page
      .getByRole('heading', { name: 'The story' })
      .or(page.getByRole('heading', { name: 'Event' }))
      .first()
      .waitFor()
    expect(await page.locator('.verdict').textContent()).toContain('no stock of tea-01')
    expect(await page.locator('.log').textContent()).toContain('shipping {"order": 4711}')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as prompt' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const prompt = await page.evaluate('navigator.clipboard.readText()')
    expect(prompt).toMatch(/^Explain the result of this invocation/)
    for (const part of ['no stock of tea-01', 'shipping {"order": 4711}']) expect(prompt).toContain(part)

    isMended = true
    await open('/queues/orders-failed')
    await page.getByRole('button', { name: 'Redrive 1' }).click()
    await page.getByText('1 of 1 moved, finished').waitFor()
    await page.getByText('The queue is empty').waitFor()
    await open('/invocations?function=ship&severity=ok')
    await page.getByRole('row').getByText('success').first().waitFor()
    expect(problems).toEqual([])
  })

  it('edits a dead-letter message, and replaces the original with the edited message', async () => {
    isMended = true
    await setup.api.post('/queues/{name}/messages', {
      params: { name: 'orders-failed' },
      body: { body: '{"order": "471l"}', attributes: { by: 'shop' } },
    })
    await open('/queues/orders-failed')
    await page.getByRole('button', { name: /"order": "471l"/ }).click()
    await page.getByRole('button', { name: 'Edit and send again' }).click()
    await page.getByLabel('New body').fill('{"order": 4711, "by": "hand"}')
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('The queue is empty').waitFor()
    await open('/invocations?function=ship&severity=ok&text=by')
    await page.getByRole('row').getByText('success').first().waitFor()
    expect(problems).toEqual([])
  })

  it('signs a user up, finds the confirmation code, and sees the tokens after a sign-in', async () => {
    const pool = setup.platform.userPools.get('staff')
    const call = (operation: string, input: object) =>
      fetch(pool.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
        },
        body: JSON.stringify({ ClientId: pool.clientId('web'), ...input }),
      })
    const signedUp = await call('SignUp', {
      Username: 'bob',
      Password: password,
      UserAttributes: [{ Name: 'email', Value: 'bob@example.com' }],
    })
    expect(signedUp.status).toBe(200)
    await open('/users')
    await page.getByRole('link', { name: 'staff' }).click()
    await page.getByLabel('Name, sub or attribute').fill('bob')
    await page.getByRole('link', { name: 'bob' }).click()
    await page.getByText('unconfirmed').waitFor()
    const code = await page.locator('.code').first().textContent()
    const confirmed = await call('ConfirmSignUp', { Username: 'bob', ConfirmationCode: code })
    expect(confirmed.status).toBe(200)
    await page.getByText('confirmed', { exact: true }).waitFor()
    await open('/users/staff/sign-in')
    await page.getByLabel('User name').fill('bob')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Access token' }).waitFor()
    expect(await page.getByRole('region', { name: 'the ID token' }).textContent()).toContain(
      'bob@example.com',
    )
    expect(problems).toEqual([])
  })

  it('composes an HTTP request, and replays its invocation', async () => {
    await open('/try/request')
    await page.getByLabel('Method').selectOption('POST')
    await page.getByLabel('Path and query').fill('/orders')
    await page.getByLabel('Body').fill('{"id":7}')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByLabel('Name 1').fill('content-type')
    await page.getByLabel('Value 1').fill('application/json')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('201 Created').waitFor()
    expect(await page.getByRole('region', { name: 'the body' }).textContent()).toContain('"/orders"')
    await page.getByRole('link', { name: /^Invocation #/ }).click()
    await page.getByRole('heading', { name: /POST \/orders/ }).waitFor()
    const first = page.url()
    await page.getByRole('button', { name: 'Invoke again' }).click()
    await page.waitForURL(url => url.href !== first)
    await page.getByText('The platform accepts the result').waitFor()
    expect(problems).toEqual([])
  })

  it('sees that a mail bounced, and opens the bounce report', async () => {
    await open('/mail/send')
    await page.getByLabel('From').fill('ann@office.example')
    await page.getByLabel('To, separated').fill('gone@office.example')
    await page.getByLabel('Subject').fill('Are you there?')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('link', { name: 'See what becomes of it' }).click()
    const recipient = page.getByRole('row', { name: /gone@office.example/ })
    await recipient.getByText('bounced').waitFor()
    expect(await recipient.textContent()).toContain('BOUNCE')
    await page.getByRole('link', { name: 'mail from or to ann@office.example' }).click()
    await page
      .getByRole('row', { name: /report/ })
      .getByRole('link')
      .click()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.getByRole('region', { name: 'The text of the mail' }).getByText('Left the company').waitFor()
    expect(problems).toEqual([])
  })

  it('opens the page of a user whose name consists of dots', async () => {
    await setup.api.post('/pools/{pool}/users', { params: { pool: 'staff' }, body: { name: '..', password } })
    await open('/users/staff')
    await page.getByRole('link', { name: '..', exact: true }).click()
    await page.getByRole('heading', { name: '..' }).waitFor()
    await page.reload()
    await page.getByText('confirmed', { exact: true }).waitFor()
    expect(problems).toEqual([])
  })

  it('signs in with a read-only key, sees which right is missing for a change, and signs out', async () => {
    await using own = await consolePlatform({
      functions: {},
      queues: { orders: {} },
      queueListener: { port: 0 },
      access: {
        identities: {
          reader: {
            keys: [{ id: 'READER', secret: 'long enough a secret' }],
            rights: { console: { read: ['*'] } },
          },
        },
      },
    })
    const other = await browser.newContext()
    const visitor = await other.newPage()
    await visitor.goto(`${own.origin}/console/queues/orders`)
    await visitor.getByLabel('Key').fill('READER')
    await visitor.getByLabel('Secret').fill('a wrong secret')
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.getByText('its secret is wrong').waitFor()
    await visitor.getByLabel('Secret').fill('long enough a secret')
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.getByRole('heading', { name: 'orders', exact: true }).waitFor()
    const pages = visitor.getByRole('navigation', { name: 'Pages' }).getByRole('link')
    await pages.filter({ hasText: 'Queues' }).waitFor()
    expect(await pages.allTextContents()).toEqual([
      ...['Invocations', 'Functions', 'Queues', 'Access log', 'Try it'],
    ])
    await visitor.getByLabel('Body').fill('{}')
    await visitor.getByRole('button', { name: 'Send', exact: true }).click()
    await visitor.getByText('reader does not have the right act over the console').waitFor()
    await visitor.getByRole('button', { name: 'Sign out' }).click()
    await visitor.getByRole('heading', { name: 'Sign in with a key' }).waitFor()
    await other.close()
  })
})
