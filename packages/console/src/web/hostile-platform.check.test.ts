import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { smtpDialogue } from '@signalbox/platform-mail/testing/smtp-dialogue'
import type { Browser } from 'playwright-core'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'
import { startBrowser } from './testing/browser.ts'
import { buildServedWeb } from './testing/built-web.ts'
import { hostileContents } from './testing/hostile-contents.ts'
import { type WatchedPage, watchedPage } from './testing/watched-page.ts'

/** Every eighth hostile string. `hostile-content.check.test.ts` tests all of them with prepared answers. */
const contents = hostileContents.filter((content, index) => index % 8 === 0 && content.length < 5000)
const secret = 'Hidden-<img src=x onerror=ran(1)>-7even'
const answer = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }

let setup: ConsolePlatform
let browser: Browser
let watched: WatchedPage

beforeAll(async () => {
  for (const method of ['log', 'error'] as const) jest.spyOn(console, method).mockImplementation(() => {})
  buildServedWeb()
  setup = await consolePlatform({
    functions: {
      shop: {
        handler: async ({ httpMethod, body }: { readonly httpMethod: string; readonly body: string }) => {
          const { text, password } = JSON.parse(body) as { text: string; password?: string }
          if (httpMethod === 'PUT') throw new Error(text)
          console.log(text)
          console.error(`the password is ${password}`)
          return { ...answer, body: JSON.stringify({ [text]: text, password }) }
        },
      },
      ship: {
        handler: async ({ Records }: { readonly Records: readonly { readonly body: string }[] }) => {
          for (const { body } of Records) console.log(body)
          return { batchItemFailures: [] }
        },
      },
      sort: {
        handler: async () => ({
          actions: [{ allRecipients: true, action: { type: 'DEFAULT' } }],
        }),
      },
      migrate: {
        handler: async (event: { readonly request: { readonly password: string } }) => {
          console.log(event.request.password)
          throw new Error(`There is no user with ${event.request.password}`)
        },
      },
    },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    queues: {
      orders: { function: 'ship', batchSize: 1, deadLetter: { queue: 'failed', maxReceiveCount: 1 } },
      failed: {},
    },
    queueListener: { port: 0 },
    mail: {
      port: 0,
      domains: { 'office.example': { to: 'mailboxes' } },
      rules: [{ direction: 'INBOUND', function: 'sort', fallback: 'BOUNCE' }],
    },
    userPools: {
      staff: { clients: { web: { flows: ['password'] } }, triggers: { UserMigration: 'migrate' } },
    },
    userPoolListener: { port: 0 },
  })
  browser = await startBrowser()
  watched = await watchedPage(browser)
  await watched.page.goto(await setup.platform.consoleLink())
  await watched.page.getByRole('heading', { name: 'Invocations' }).waitFor()
})

afterAll(async () => {
  await watched?.[Symbol.asyncDispose]()
  await browser?.close()
  await setup?.[Symbol.asyncDispose]()
})

/** Sends the hostile strings one after another, and returns those that the listener accepts. */
async function accepted(send: (content: string, index: number) => Promise<boolean>) {
  const all: string[] = []
  for (const [index, content] of contents.entries()) if (await send(content, index)) all.push(content)
  return all
}

/** Opens a page, and expects that its content has no effect. */
async function expectHarmless(address: string) {
  const made = await watched.show(address)
  if (watched.acted.length > 0 || made.length > 0)
    expect([address, made, watched.acted]).toEqual([address, [], []])
}

const query = <T>(path: string) => setup.fetch(`/console/api${path}`).then(each => each.json() as Promise<T>)

async function listed(functionName: string): Promise<readonly { readonly id: number }[]> {
  const { invocations } = await query<{ invocations: readonly { readonly id: number }[] }>(
    `/invocations?function=${functionName}&last=200`,
  )
  return invocations
}

/** Shows every invocation of a function, and returns them. */
async function invocationsOf(functionName: string) {
  const invocations = await listed(functionName)
  for (const { id } of invocations) await expectHarmless(`/invocations/${id}`)
  return invocations
}

const callPool = (operation: string, input: object) => {
  const pool = setup.platform.userPools.get('staff')
  return fetch(pool.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSCognitoIdentityProviderService.${operation}`,
    },
    body: JSON.stringify({ ClientId: pool.clientId('web'), ...input }),
  })
}

const sendMessage = async (queue: string, content: string) => {
  const value = { DataType: 'String', StringValue: content }
  const { status } = await fetch(setup.url('queues'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'AmazonSQS.SendMessage' },
    body: JSON.stringify({
      QueueUrl: `${setup.url('queues')}/000000000000/${queue}`,
      MessageBody: content,
      MessageAttributes: { note: value },
    }),
  })
  return status === 200
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const word = (text: string) => `=?utf-8?B?${base64(text.slice(0, 300))}?=`
const lines = (text: string) => base64(text).replace(/.{76}/g, '$&\r\n')

/** Returns a mail with the content in its headers, its text, its HTML and its attachment. */
const mailWith = (content: string) =>
  [
    `From: ${word(content)} <rita@partner.example>`,
    `To: ${word(content)} <ann@office.example>`,
    `Subject: ${word(content)}`,
    `X-Note: ${content.replace(/[^\x20-\x7e]/g, '').slice(0, 500)}`,
    'Content-Type: multipart/mixed; boundary=limit',
    '',
    ...['plain', 'html'].flatMap(type => [
      '--limit',
      `Content-Type: text/${type}; charset=utf-8`,
      'Content-Transfer-Encoding: base64',
      '',
      lines(content),
    ]),
    '--limit',
    'Content-Type: application/octet-stream',
    `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent(content.slice(0, 100).toWellFormed())}`,
    '',
    'x',
    '--limit--',
    '',
    '.',
  ].join('\r\n')

describe('hostile content that clients send to a platform', () => {
  it('runs no script when it arrives in requests, events, answers, errors and log lines', async () => {
    const send = async (method: string, text: string) => {
      const path = encodeURIComponent(text.toWellFormed())
      const { status } = await fetch(`${setup.url('load balancer web')}/${path}`, {
        method,
        headers: { 'content-type': 'application/json', 'user-agent': text.replace(/[^\x20-\x7e]/g, '') },
        body: JSON.stringify({ text }),
      })
      return status === (method === 'PUT' ? 502 : 200)
    }
    const sent = [
      ...(await accepted(text => send('POST', text))),
      ...(await accepted(text => send('PUT', text))),
    ]
    expect(sent).toHaveLength(2 * contents.length)
    await expectHarmless('/invocations?function=shop')
    expect(await invocationsOf('shop')).toHaveLength(sent.length)
    // The address of the search page contains the search text.
    for (const text of sent.slice(0, 5))
      await expectHarmless(`/invocations?text=${encodeURIComponent(text.toWellFormed())}`)
  })

  it('runs no script when it arrives in queue messages and their attributes', async () => {
    const sent = await accepted(content => sendMessage('failed', content))
    expect(sent.length).toBeGreaterThan(15)
    await expectHarmless('/queues/failed')
    const messages = await query<readonly { messageId: string }[]>('/queues/failed/messages?last=200')
    expect(messages).toHaveLength(sent.length)
    for (const { messageId } of messages) await expectHarmless(`/queues/failed?message=${messageId}`)
    for (const content of sent) await sendMessage('orders', content)
    while ((await listed('ship')).length < sent.length);
    await invocationsOf('ship')
    await expectHarmless('/queues')
  })

  it('runs no script when it arrives in the headers, the HTML and the attachments of mails', async () => {
    await using dialogue = await smtpDialogue(setup.url('mail'))
    await dialogue.say('EHLO partner.example')
    const sent = await accepted(async content => {
      await dialogue.say('MAIL FROM:<rita@partner.example>')
      await dialogue.say('RCPT TO:<ann@office.example>')
      await dialogue.say('DATA')
      return (await dialogue.say(mailWith(content)))?.startsWith('250') === true
    })
    expect(sent).toHaveLength(contents.length)
    let delivered: readonly { readonly id: string }[] = []
    while (delivered.length < sent.length) delivered = await query('/mailboxes/ann%40office.example')
    for (const address of ['/mail', '/mail/mailboxes', '/mail/mailboxes/ann%40office.example'])
      await expectHarmless(address)
    for (const [index, { id }] of delivered.entries()) {
      for (const view of ['html', 'headers'])
        await expectHarmless(`/mail/mailboxes/ann%40office.example/${id}?view=${view}`)
      // These views show the same content in different ways.
      if (index % 4 === 0)
        for (const address of [
          `mailboxes/ann%40office.example/${id}?view=source`,
          `accepted/${id}?view=text`,
        ])
          await expectHarmless(`/mail/${address}`)
    }
    await expectHarmless('/invocations?function=sort')
  })

  it('runs no script when it arrives in user names and user attributes', async () => {
    const sent = await accepted(async content => {
      const { status } = await callPool('SignUp', {
        Username: content,
        Password: 'Right-7even',
        UserAttributes: [
          { Name: 'email', Value: 'bob@example.com' },
          { Name: 'name', Value: content },
        ],
      })
      return status === 200
    })
    expect(sent.length).toBeGreaterThan(10)
    for (const address of ['/users', '/users/staff', '/users/staff/messages']) await expectHarmless(address)
    for (const name of sent) await expectHarmless(`/users/staff/user/${encodeURIComponent(name)}`)
  })
})

describe('secrets in the console', () => {
  it('are masked in requests, trigger events, answers, log lines, errors and the live list', async () => {
    await watched.show('/invocations')
    await fetch(`${setup.url('load balancer web')}/?token=${encodeURIComponent(secret)}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${secret}`,
        cookie: `session=${encodeURIComponent(secret)}`,
      },
      body: JSON.stringify({ text: 'a sign-in', password: secret }),
    })
    await callPool('InitiateAuth', {
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: 'carl', PASSWORD: secret },
    })
    await watched.page
      .getByRole('link', { name: /UserMigration/ })
      .first()
      .waitFor()
    const texts: string[] = []
    const { invocations } = await query<{ invocations: readonly { id: number }[] }>('/invocations?last=5')
    texts.push(JSON.stringify(invocations), await watched.page.content())
    for (const { id } of invocations) {
      texts.push(JSON.stringify(await query(`/invocations/${id}`)))
      await expectHarmless(`/invocations/${id}`)
      texts.push(await watched.page.content())
    }
    const all = texts.join('\n')
    expect(all).toContain('a sign-in')
    expect(all).not.toMatch(/Hidden-|-7even/)
    expect(await query(`/invocations?text=${encodeURIComponent(secret)}`)).toMatchObject({ invocations: [] })
  })
})

describe('mails in the console', () => {
  it('load nothing, not even from the platform, and their attachments are downloaded instead of displayed', async () => {
    const html =
      '<img src="/console/api/overview?from=mail"><link rel=stylesheet href="/console/api/overview?from=mail">'
    await using dialogue = await smtpDialogue(setup.url('mail'))
    for (const line of [
      'EHLO a.example',
      'MAIL FROM:<a@a.example>',
      'RCPT TO:<frame@office.example>',
      'DATA',
    ])
      await dialogue.say(line)
    await dialogue.say(mailWith(html))
    let delivered: readonly { readonly id: string }[] = []
    while (delivered.length === 0) delivered = await query('/mailboxes/frame%40office.example')
    const asked: string[] = []
    // The browser also reports requests that a policy blocks, but only requests that were sent get a
    // response.
    watched.page.on('response', response => asked.push(response.url()))
    const path = `/mailboxes/frame%40office.example/${delivered[0]!.id}`
    await watched.show(`/mail${path}?view=html`)
    await watched.page.frameLocator('iframe').locator('img').waitFor({ state: 'attached' })
    await watched.show('/mail/send')
    expect(asked.filter(url => url.includes('from=mail'))).toEqual([])
    const { headers } = await setup.fetch(`/console/api${path}/attachments/0`)
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''/)
    expect(headers.get('content-security-policy')).toMatch(/sandbox$/)
  })
})

describe('pages of the console', () => {
  it('run no script that is inserted into them', async () => {
    await watched.page.evaluate(`{
      const script = document.createElement('script')
      script.textContent = 'window.wasRun = true'
      document.body.append(script)
      const button = document.createElement('button')
      button.setAttribute('onclick', 'window.wasRun = true')
      document.body.append(button)
      button.click()
    }`)
    expect(await watched.page.evaluate('window.wasRun')).toBeUndefined()
  })
})
