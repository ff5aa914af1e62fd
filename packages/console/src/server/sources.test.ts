import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { toSegment } from '../api/dot-segments.ts'
import { type ConsolePlatform, consolePlatform } from '../testing/console-platform.ts'

const answer = { statusCode: 200, statusDescription: '200 OK', isBase64Encoded: false }
let setup: ConsolePlatform
beforeAll(async () => {
  setup = await consolePlatform({
    functions: {
      shop: {
        handler: async (event: { httpMethod: string; body: string }) => ({
          ...answer,
          body: `${event.httpMethod} ${event.body}`,
          headers: { 'x-own': '1' },
        }),
      },
      orders: {
        handler: async (event: { Records: readonly { body: string }[] }) => {
          for (const { body } of event.Records) if (body.includes('bad')) throw new Error('a bad order')
          return { batchItemFailures: [] }
        },
      },
      signUp: { handler: async (event: object) => event },
    },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    queues: {
      orders: {
        function: 'orders',
        deadLetter: { queue: 'orders-dead', maxReceiveCount: 1 },
        visibilityTimeout: 30,
      },
      'orders-dead': {},
      later: {},
    },
    queueListener: { port: 0 },
    mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },
    userPools: {
      staff: {
        clients: { web: { flows: ['password'] } },
        groups: { admins: {} },
        triggers: { PreSignUp: 'signUp' },
      },
    },
    userPoolListener: { port: 0 },
  })
})
afterAll(() => setup.platform.stop())

/**
 * Repeats a request until its answer is as expected, because the platform works in the background.
 * @throws Error with the last answer, after a minute
 */
async function eventually<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  const end = performance.now() + 60_000
  for (;;) {
    const answer = await ask()
    if (wanted(answer)) return answer
    if (performance.now() > end) throw new Error(`The last answer was ${JSON.stringify(answer)}`)
    await new Promise(resolve => setImmediate(resolve))
  }
}
const body = async <T>(answer: Promise<{ readonly status: number; readonly body: T }>) => (await answer).body

describe('the console API', () => {
  it('lists the platform’s functions and kinds of services', async () => {
    expect(await setup.api.get('/overview')).toMatchObject({
      status: 200,
      body: {
        functions: ['shop', 'orders', 'signUp'],
        familiesOf: { shop: ['load-balancer'], orders: ['queue'], signUp: ['user-pool'] },
      },
    })
    const used = { isUsed: true, wrong: 0 }
    expect(await body(setup.api.get('/parts'))).toMatchObject({
      ...{ functions: used, loadBalancers: used, queues: used, mail: used, userPools: used },
      ...{ access: { isUsed: false }, platforms: { isUsed: false } },
    })
  })

  it('sends messages, shows them without receiving them, and purges a queue only if the request repeats its name', async () => {
    const { api } = setup
    const message = { body: 'hello', attributes: { kind: 'greeting' }, delay: 900 }
    const { messageId } = (await body(
      api.post('/queues/{name}/messages', { params: { name: 'later' }, body: message }),
    )) as { messageId: string }
    const peek = () => api.get('/queues/{name}/messages', { params: { name: 'later' } })
    const first = await peek()
    expect(first).toMatchObject({
      status: 200,
      body: [
        {
          ...{ messageId, body: 'hello', state: 'delayed', receiveCount: 0 },
          attributes: { kind: { dataType: 'String', stringValue: 'greeting' } },
        },
      ],
    })
    expect((await peek()).body).toEqual(first.body)
    expect(await api.get('/queues/{name}', { params: { name: 'later' } })).toMatchObject({
      body: { delayed: 1, visible: 0, isFifo: false, attributes: { VisibilityTimeout: '30' } },
    })
    const purge = (confirm: string) =>
      api.post('/queues/{name}/purge', { params: { name: 'later' }, body: { confirm } })
    expect(await purge('orders')).toMatchObject({ status: 400 })
    expect(await purge('later')).toMatchObject({ status: 204 })
    expect((await peek()).body).toEqual([])
    expect(await purge('later')).toMatchObject({ status: 409 })
  })

  it('answers 404 with the name of the queue when the queue does not exist', async () => {
    for (const name of ['none', '..%2f', 'a b'])
      expect(await setup.api.get('/queues/{name}', { params: { name } })).toMatchObject({
        status: 404,
        body: { error: `There is no queue ${name}.` },
      })
  })

  it('shows why the messages of a dead-letter queue failed, and moves them back to the source queue', async () => {
    const { api } = setup
    const params = { name: 'orders-dead' }
    const { messageId } = (await body(
      api.post('/queues/{name}/messages', { params: { name: 'orders' }, body: { body: 'a bad one' } }),
    )) as { messageId: string }
    await eventually(
      () =>
        body(api.get('/invocations', { query: { text: messageId } })) as Promise<{ invocations: unknown[] }>,
      ({ invocations }) => invocations.length > 0,
    )
    // The message becomes visible again after 30 seconds, and then moves to the dead-letter queue.
    const why = await api.get('/messages/{id}/invocations', { params: { id: messageId } })
    expect(why).toMatchObject({
      status: 200,
      body: { invocations: [{ functionName: 'orders', failure: { message: 'Error: a bad order' } }] },
    })
    await api.post('/queues/{name}/messages', { params, body: { body: 'sent there' } })
    const started = await api.post('/queues/{name}/redrives', { params, body: { perSecond: 10 } })
    expect(started).toMatchObject({ status: 200, body: { task: expect.any(String) } })
    expect(await api.get('/queues/{name}/redrives', { params })).toMatchObject({
      status: 200,
      body: [{ perSecond: 10, moved: 0, toMove: 0 }],
    })
    expect(await api.post('/queues/{name}/redrives', { params, body: { perSecond: 501 } })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('501') },
    })
    const stop = await api.del('/queues/{name}/redrives/{task}', { params: { ...params, task: 'x' } })
    expect(stop).toMatchObject({ status: 409, body: { error: 'Task does not exist.' } })
  })

  it('replaces a dead-letter message with an edited one, or answers 409 if it no longer exists', async () => {
    const { api } = setup
    const params = { name: 'orders-dead' }
    await api.post('/queues/{name}/messages', { params, body: { body: 'a letter to mend' } })
    const list = await body(api.get('/queues/{name}/messages', { params }))
    const { position } = (list as readonly { position: number; body: string }[]).find(
      each => each.body === 'a letter to mend',
    )!
    const resend = (at: number) =>
      api.post('/queues/{name}/messages/{position}/resend', {
        params: { ...params, position: at },
        body: { body: 'mended', attributes: { by: 'hand' } },
      })
    const sent = await resend(position)
    expect(sent).toMatchObject({ status: 200, body: { messageId: expect.any(String) } })
    const { messageId } = sent.body as { messageId: string }
    const handled = await eventually(
      () =>
        body(api.get('/messages/{id}/invocations', { params: { id: messageId } })) as Promise<{
          invocations: readonly { source: string }[]
        }>,
      ({ invocations }) => invocations.length > 0,
    )
    expect(handled.invocations).toMatchObject([{ source: 'queue orders' }])
    expect(JSON.stringify(await body(api.get('/queues/{name}/messages', { params })))).not.toContain(
      'to mend',
    )
    expect(await resend(position)).toMatchObject({ status: 409, body: { error: expect.any(String) } })
    const params2 = { name: 'orders-dead', position: 'x' }
    expect(
      await api.post('/queues/{name}/messages/{position}/resend', { params: params2, body: { body: 'x' } }),
    ).toMatchObject({ status: 400 })
  })

  it('shows for each invocation the delivery states of mails to the addresses in its event', async () => {
    const { api, platform } = setup
    const mail = { from: 'a@partner.example', to: ['story@office.example'], subject: 'A story', text: 'x' }
    expect(await api.post('/mail', { body: mail })).toMatchObject({ status: 200, body: { refused: [] } })
    await platform.invoke('shop', { to: 'story@office.example' })
    const { invocations } = await eventually(
      () =>
        body(api.get('/invocations', { query: { function: 'shop', last: 1 } })) as Promise<{
          invocations: readonly { id: number }[]
        }>,
      ({ invocations }) => invocations.length > 0,
    )
    const details = await eventually(
      () =>
        body(api.get('/invocations/{id}', { params: { id: invocations[0]!.id } })) as Promise<{
          mails: readonly { subject: string; recipients: readonly { state: string }[] }[]
        }>,
      ({ mails }) => mails[0]?.recipients[0]?.state === 'delivered',
    )
    expect(details.mails).toMatchObject([{ subject: 'A story', recipients: [{ address: mail.to[0] }] }])
  })

  it('sends a test mail, and shows its delivery state, content and source', async () => {
    const { api } = setup
    const html = '<p style="color:red">Hi<script>alert(1)</script></p>'
    const mail = {
      from: 'rita@partner.example',
      to: ['ann@office.example'],
      subject: 'Offer',
      text: 'Hi Ann',
      html,
    }
    const sent = await api.post('/mail', { body: mail })
    expect(sent).toMatchObject({ status: 200, body: { id: expect.any(String), refused: [] } })
    const { id } = sent.body as { id: string }
    const [listed] = await eventually(
      () =>
        body(api.get('/mail', { query: { text: 'offer' } })) as Promise<
          readonly { id: string; recipients: readonly { state: string }[] }[]
        >,
      ([first]) => first?.recipients[0]?.state === 'delivered',
    )
    expect(listed).toMatchObject({ id, from: mail.from, recipients: [{ address: 'ann@office.example' }] })
    expect(await api.get('/mail', { query: { text: 'nothing like it' } })).toMatchObject({ body: [] })
    expect(await api.get('/mailboxes')).toMatchObject({
      body: expect.arrayContaining([{ address: 'ann@office.example', inbox: 1, junk: 0 }]),
    })
    const params = { address: 'ann@office.example', id }
    expect(await api.get('/mailboxes/{address}', { params })).toMatchObject({
      body: [{ id, folder: 'inbox', sender: mail.from, subject: 'Offer' }],
    })
    expect(await api.get('/mailboxes/{address}/{id}', { params })).toMatchObject({
      status: 200,
      body: {
        subject: 'Offer',
        text: expect.stringContaining('Hi Ann'),
        html: expect.stringContaining(html),
      },
    })
    const file = (name: string) => setup.fetch(`/console/api/mailboxes/${params.address}/${id}/${name}`)
    const source = await file('source')
    expect([source.headers.get('content-type'), await source.text()]).toEqual([
      'text/plain; charset=iso-8859-1',
      expect.stringContaining('Subject: Offer'),
    ])
    const page = await file('html')
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/)
    expect((await file('attachments/0')).status).toBe(404)
    expect(await api.post('/mail', { body: { ...mail, to: ['nobody'] } })).toMatchObject({ status: 409 })
    const action = { params: { id }, body: { action: 'flush' } } as const
    expect(await api.post('/mail/{id}/actions', action)).toMatchObject({ status: 409 })
  })

  it('adds, finds, changes and signs in users, and decodes their tokens', async () => {
    const { api } = setup
    const pool = { pool: 'staff' }
    const ann = { params: { ...pool, name: 'ann' } }
    const account = { name: 'ann', password: 'Right-7even', attributes: { email: 'ann@office.example' } }
    expect(await api.post('/pools/{pool}/users', { params: pool, body: account })).toMatchObject({
      status: 204,
    })
    await api.post('/pools/{pool}/users', { params: pool, body: { name: 'bob', password: 'Right-7even' } })
    const names = async (query: object) => {
      const answer = await api.get('/pools/{pool}/users', { params: pool, query })
      return answer.status === 200 ? [answer.body.users.map(({ name }) => name), answer.body.after] : answer
    }
    expect(await names({})).toEqual([['ann', 'bob'], undefined])
    expect(await names({ search: 'OFFICE' })).toEqual([['ann'], undefined])
    expect(await names({ last: 1 })).toEqual([['ann'], 'ann'])
    expect(await names({ last: 1, after: 'ann' })).toEqual([['bob'], undefined])
    await api.post('/pools/{pool}/users/{name}/groups', { ...ann, body: { group: 'admins' } })
    expect(await api.get('/pools/{pool}/users/{name}', ann)).toMatchObject({
      status: 200,
      body: { user: { name: 'ann', enabled: true, status: 'CONFIRMED' }, groups: ['admins'], messages: [] },
    })
    const signIn = { params: pool, body: { name: 'ann', password: 'Right-7even' } }
    expect(await api.post('/pools/{pool}/sign-in', signIn)).toMatchObject({
      status: 200,
      body: {
        idToken: { claims: { email: 'ann@office.example', 'cognito:groups': ['admins'] } },
        accessToken: { header: { alg: 'RS256' }, claims: { username: 'ann' } },
        hasRefreshToken: true,
      },
    })
    const act = (action: 'disable' | 'reset-password' | 'confirm') =>
      api.post('/pools/{pool}/users/{name}/actions', { ...ann, body: { action } })
    expect(await act('disable')).toMatchObject({ status: 204 })
    expect(await api.post('/pools/{pool}/sign-in', signIn)).toMatchObject({ status: 409 })
    expect(await act('confirm')).toMatchObject({ status: 409, body: { error: expect.any(String) } })
    expect(await api.get('/pools')).toMatchObject({
      body: [
        { name: 'staff', users: 2, groups: ['admins'], clients: [{ name: 'web', flows: ['password'] }] },
      ],
    })
    expect(await api.get('/pools/{pool}/users', { params: { pool: 'none' } })).toMatchObject({ status: 409 })
    expect(await api.get('/pools/{pool}/messages', { params: pool })).toMatchObject({ status: 200, body: [] })
  })

  it('finds and changes users named "." and "..", although a URL path cannot contain these segments', async () => {
    for (const name of ['.', '..', '~..']) {
      await setup.api.post('/pools/{pool}/users', {
        params: { pool: 'staff' },
        body: { name, password: 'Right-7even' },
      })
      const params = { pool: 'staff', name: toSegment(name) }
      await setup.api.post('/pools/{pool}/users/{name}/actions', { params, body: { action: 'disable' } })
      expect(await setup.api.get('/pools/{pool}/users/{name}', { params })).toMatchObject({
        body: { user: { name, enabled: false } },
      })
      await setup.api.post('/pools/{pool}/users/{name}/actions', { params, body: { action: 'delete' } })
    }
  })

  it('sends a composed request through a load balancer, and finds the resulting invocation', async () => {
    const { api } = setup
    const request = {
      method: 'POST',
      path: '/orders?x=1',
      headers: [['x-tenant', 't1']] as [string, string][],
      body: 'ä',
    }
    const answered = await api.post('/load-balancers/{name}/requests', {
      params: { name: 'web' },
      body: request,
    })
    expect(answered).toMatchObject({
      status: 200,
      body: { status: 200, isBase64: false, headers: expect.arrayContaining([['x-own', '1']]) },
    })
    const { invocation } = answered.body as { invocation: number }
    expect(await api.get('/invocations/{id}', { params: { id: invocation } })).toMatchObject({
      body: { invocation: { summary: 'POST /orders', source: 'load balancer web' } },
    })
    const send = (body: object) =>
      api.post('/load-balancers/{name}/requests', { params: { name: 'web' }, body: { ...request, ...body } })
    expect(await send({ path: 'orders' })).toMatchObject({ status: 400 })
    expect(await send({ method: 'G T' })).toMatchObject({ status: 400 })
    expect(await send({ headers: [['a', 'b\r\nc: d']] })).toMatchObject({ status: 400 })
  })

  it('invokes a function with a new event, and replays a logged event', async () => {
    const { api } = setup
    const sample = await api.get('/samples/{name}', { params: { name: 'load-balancer' } })
    expect(sample).toMatchObject({
      status: 200,
      body: { family: 'load-balancer', schema: { properties: { httpMethod: expect.any(Object) } } },
    })
    const { event } = sample.body as { event: object }
    const invoked = await api.post('/invocations', { body: { function: 'shop', event } })
    expect(invoked).toMatchObject({ status: 200, body: { verdict: { kind: 'answered', ok: true } } })
    const { id } = invoked.body as { id: number }
    const again = await api.post('/invocations', { body: { again: id } })
    expect(again).toMatchObject({ status: 200, body: { id: id + 1 } })
    expect(await api.get('/invocations/{id}', { params: { id: id + 1 } })).toMatchObject({
      body: { invocation: { source: `console, again #${id}` } },
    })
    expect(await api.post('/invocations', { body: { function: 'none', event } })).toMatchObject({
      status: 404,
    })
    expect(await api.post('/invocations', { body: { again: 10_000 } })).toMatchObject({ status: 404 })
    expect(await api.post('/invocations', { body: {} as never })).toMatchObject({ status: 400 })
  })

  it('has a sample event with a JSON Schema for every event type and user-pool trigger', async () => {
    const all = (await body(setup.api.get('/samples'))) as readonly { name: string; family: string }[]
    expect(new Set(all.map(({ family }) => family)).size).toBe(4)
    const trigger = await setup.api.get('/samples/{name}', { params: { name: 'PreSignUp_SignUp' } })
    expect(trigger).toMatchObject({ status: 200, body: { event: { triggerSource: 'PreSignUp_SignUp' } } })
    expect((trigger.body as { schema: object }).schema).toMatchObject({
      properties: { request: { properties: { userAttributes: { type: 'object' } } } },
    })
    for (const { name } of all)
      expect(await setup.api.get('/samples/{name}', { params: { name } })).toMatchObject({
        status: 200,
        body: { schema: { type: 'object', properties: expect.anything() } },
      })
  })

  it('reports the calls, errors and median duration of each function, in total and over time', async () => {
    const { api, platform } = setup
    // The platform's clock differs from Date.now() by up to a tenth of a second.
    const from = systemClock.wall()
    for (let i = 0; i < 3; i++) await platform.invoke('shop', { i })
    const to = systemClock.wall() + 1000
    const all = (await body(api.get('/functions', { query: { from, to } }))) as readonly { name: string }[]
    expect(all.find(({ name }) => name === 'shop')).toMatchObject({
      calls: 3,
      errors: 0,
      p50: expect.any(Number),
    })
    expect(all.find(({ name }) => name === 'signUp')).toMatchObject({ calls: 0 })
    const series = await api.get('/functions/{name}/series', {
      params: { name: 'shop' },
      query: { from, to, steps: 4 },
    })
    expect(series).toMatchObject({ status: 200, body: { from, to } })
    const { points } = series.body as { points: readonly { calls: number }[] }
    expect([points.length, points.reduce((sum, { calls }) => sum + calls, 0)]).toEqual([4, 3])
    expect(await api.get('/functions', { query: { from: 5, to: 5 } })).toMatchObject({ status: 400 })
    expect(await api.get('/functions/{name}/series', { params: { name: 'x' } })).toMatchObject({
      status: 404,
    })
  })
})
