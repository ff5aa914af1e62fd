import { expect, it } from '@jest/globals'
import { systemClock } from '@signalbox/core'
import { consolePlatform } from '../testing/console-platform.ts'

it('the console shows which fields of an invocation’s event and answer break the contract', async () => {
  await using setup = await consolePlatform({
    functions: {
      signUp: { handler: async (event: object) => ({ ...event, response: { autoConfirmUser: 'yes' } }) },
    },
  })
  const { body } = (await setup.api.get('/samples/{name}', { params: { name: 'PreSignUp_SignUp' } })) as {
    body: { event: object }
  }
  await setup.api.post('/invocations', { body: { function: 'signUp', event: body.event } })
  await setup.api.post('/invocations', {
    body: { function: 'signUp', event: { ...body.event, userName: 7 } },
  })
  expect(await setup.api.get('/invocations/{id}', { params: { id: 1 } })).toMatchObject({
    body: {
      invocation: { verdict: { kind: 'invalid' } },
      eventProblems: [],
      payloadProblems: [{ pointer: '/response/autoConfirmUser', expected: expect.any(String) }],
    },
  })
  expect(await setup.api.get('/invocations/{id}', { params: { id: 2 } })).toMatchObject({
    body: { eventProblems: [{ pointer: '/userName' }], payloadProblems: [] },
  })
})

it('the console lists earlier and later invocations whose events contain the same id or mail address', async () => {
  await using setup = await consolePlatform({ functions: { shop: { handler: async () => 'ok' } } })
  const id = '0d8f1f6e-6a3b-4c1e-9a51-1f5d3f0a7c11'
  for (const event of [{ order: id }, { other: 1 }, { parent: { id } }, { to: 'ann@office.example', id }])
    await setup.platform.invoke('shop', event)
  await setup.platform.invoke('shop', { mail: 'ann@office.example' })
  const related = async (of: number) => {
    const answer = await setup.api.get('/invocations/{id}', { params: { id: of } })
    if (answer.status !== 200) return answer
    const { ledFrom, ledTo } = answer.body
    return [ledFrom, ledTo].map(each => each.map(one => [one.invocation.id, one.by, one.id]))
  }
  expect(await related(3)).toEqual([[[1, 'shares', id]], [[4, 'shares', id]]])
  expect(await related(5)).toEqual([[[4, 'shares', 'ann@office.example']], []])
  expect(await related(2)).toEqual([[], []])
})

it('the console shows mails by the wall clock, beside the invocations that name their addresses', async () => {
  const hours = 5 * 3_600_000
  const wall = (at = systemClock.now()) => at + hours
  await using setup = await consolePlatform(
    {
      functions: { shop: { handler: async () => 'ok' } },
      mail: { port: 0, domains: { 'office.example': { to: 'mailboxes' } } },
    },
    { clock: { ...systemClock, wall } },
  )
  const before = wall()
  const mail = { from: 'a@partner.example', to: ['ann@office.example'], subject: 'A story', text: 'x' }
  expect(await setup.api.post('/mail', { body: mail })).toMatchObject({ status: 200 })
  await setup.platform.invoke('shop', { to: 'ann@office.example' })
  const { body } = await setup.api.get('/invocations/{id}', { params: { id: 1 } })
  const { mails } = body as { readonly mails: readonly { readonly receivedAt: number }[] }
  expect(mails).toMatchObject([{ subject: 'A story' }])
  expect(mails[0]!.receivedAt).toBeGreaterThanOrEqual(before)
  expect(mails[0]!.receivedAt).toBeLessThanOrEqual(wall())
})

it('the console shows the invocations of a trace, each after the one of which it is a consequence', async () => {
  await using setup = await consolePlatform({
    functions: {
      shop: {
        async handler(
          { sends }: { readonly sends: boolean },
          { traceparent }: { readonly traceparent: string },
        ) {
          if (sends) {
            await fetch(setup.url('load balancer web'), { headers: { traceparent } })
          }
          return 'ok'
        },
      },
    },
    loadBalancers: { web: { function: 'shop', port: 0 } },
  } as never)
  for (const sends of [true, false]) await setup.platform.invoke('shop', { sends })
  const traceOf = async (id: number) => {
    const answer = await setup.api.get('/invocations/{id}', { params: { id } })
    const { trace } = (answer as unknown as { body: { trace: { id: string; steps: readonly object[] } } })
      .body
    return trace
  }
  const trace = await traceOf(1)
  expect(trace).toMatchObject({
    id: expect.stringMatching(/^[\da-f]{32}$/),
    steps: [
      { invocation: { id: 2 }, depth: 0, offset: 0 },
      { invocation: { id: 1 }, depth: 1 },
    ],
  })
  expect(await traceOf(2)).toEqual(trace)
  // Nothing led to it, and it led to nothing.
  expect(await traceOf(3)).toBeUndefined()
})
