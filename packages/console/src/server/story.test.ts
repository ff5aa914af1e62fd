import { expect, it } from '@jest/globals'
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
