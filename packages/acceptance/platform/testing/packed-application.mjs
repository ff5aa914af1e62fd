// Uses the packed packages as an application does, and fails if something does not work. `dry-publish.js` copies it into an
// application, and runs it with Node, Bun and Deno.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailFlow } from '@signalbox/mail-flow'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { createPlatform, InvalidConfigError } from '@signalbox/platform'
import { queue } from '@signalbox/queue'
import { queueEvent } from '@signalbox/queue/testing'
import { passThrough, userPool } from '@signalbox/user-pool'
import { preSignUpEvent } from '@signalbox/user-pool/testing'

const shop = signalbox(loadBalancer([get('/hello/{name}', ({ params }) => json({ hello: params.name }))]))
assert.equal((await shop(httpEvent('GET', '/hello/Ada'), {})).body, '{"hello":"Ada"}')

const orders = signalbox(
  queue({
    onMessage({ body }) {
      if (body === 'bad') throw new Error('a bad order')
    },
  }),
)
const batch = await orders(queueEvent({ bodies: ['good', 'bad'] }), {})
assert.equal(batch.batchItemFailures.length, 1)

const mailroom = signalbox(mailFlow((_, actions) => actions.drop()))
assert.equal((await mailroom(mailEvent(), {})).actions[0].action.type, 'DROP')

const signUp = signalbox(
  userPool({ PreSignUp_SignUp: () => ({ autoConfirmUser: true }), otherwise: passThrough }),
)
assert.equal((await signUp(preSignUpEvent(), {})).response.autoConfirmUser, true)

await answersRequest({ handler: shop })
const answer = {
  statusCode: 200,
  statusDescription: '200 OK',
  headers: {},
  body: '{"hello":"Ada"}',
  isBase64Encoded: false,
}
writeFileSync('shop.mjs', `export const handler = () => (${JSON.stringify(answer)})`)
const module = { module: './shop.mjs' }
if ('bun' in process.versions || 'deno' in process.versions)
  assert.throws(
    () => platformWith(module),
    error =>
      error instanceof InvalidConfigError && /expected a platform that runs on Node/.test(error.message),
  )
else await answersRequest(module)

function platformWith(shop) {
  return createPlatform({
    functions: { shop },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    dataDir: './data',
  })
}

async function answersRequest(shop) {
  const platform = platformWith(shop)
  try {
    const [web] = await platform.start()
    const response = await fetch(`${web.url}/hello/Ada`)
    assert.deepEqual([response.status, await response.text()], [200, '{"hello":"Ada"}'])
  } finally {
    await platform.stop()
  }
}
