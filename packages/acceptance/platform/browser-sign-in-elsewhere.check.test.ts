import { expect, it } from '@jest/globals'
import { browserSignInSuite } from './testing/browser-sign-in-suite.ts'
import { otherProvider, type ProviderBehaviour } from './testing/other-provider.ts'

const behaviour: ProviderBehaviour = {}
let provider: Awaited<ReturnType<typeof otherProvider>>

const { newContext, sessionOf, urlOf } = browserSignInSuite(async () => {
  provider = await otherProvider(behaviour, 60)
  const authenticate = {
    ...{ issuer: provider.issuer, clientId: 'balancer', scope: 'openid email offline_access' },
    clientSecret: 'a long secret of the balancer',
  }
  return {
    authenticate,
    otherClient: { ...authenticate, clientId: 'other' },
    tokenSeconds: 60,
    listeners: [{ port: 0 }, { port: 0 }],
    hosts: ['127.0.0.1', 'localhost'],
    open(_platform, origins) {
      provider.open(...origins.map(each => `${each}/oauth2/idpresponse`))
    },
    async visit(tab, address, user) {
      behaviour.user = user
      await tab.goto(address)
    },
    subOf: user => user,
    issuer: () => provider.issuer,
    client: () => 'balancer',
    end: () => provider[Symbol.asyncDispose](),
  }
})

it('a user who denies access sees 401', async () => {
  behaviour.user = undefined
  await using context = await newContext()
  const tab = await context.newPage()
  const answer = await tab.goto(urlOf('/orders/7'))
  expect([answer!.status(), new URL(tab.url()).pathname]).toEqual([401, '/oauth2/idpresponse'])
  expect(await sessionOf(context)).toEqual([])
})
