import assert from 'node:assert/strict'
import { httpVerdict, maxRequestBodyBytes, maxResponseBytes } from '@signalbox/load-balancer/contract'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { breaks, type ContractCase, keeps, type Sides } from '../contract-case.ts'
import { answerRules } from './http-answers.ts'
import { requestRules, seen } from './http-requests.ts'
import { answers, ask, isMalformed, ok } from './http-sides.ts'

/** Returns the cases for the request rules, the response rules and the limits. */
export function httpRules(): readonly ContractCase[] {
  return [...requestRules(), ...answerRules(), ...limitRules()]
}

function limitRules(): readonly ContractCase[] {
  const post = (bytes: number, status: number): Sides => {
    const body = 'x'.repeat(bytes)
    const lines = ['content-type: text/plain']
    return {
      function: () =>
        assert.equal(httpVerdict(JSON.stringify(ok), httpEvent('POST', '/', { body })).status, status),
      platform: async () =>
        assert.equal((await ask(ok, { method: 'POST', lines, body })).response.status, status),
    }
  }
  const answerOf = (bytes: number) => {
    const answer = (length: number) => ({
      ...ok,
      headers: { 'content-type': 'text/plain' },
      body: 'x'.repeat(length),
    })
    return answer(bytes - JSON.stringify(answer(0)).length)
  }
  const largest = answerOf(maxResponseBytes)
  return [
    keeps('limits.requestBody', `${maxRequestBodyBytes} bytes`, post(maxRequestBodyBytes, 200)),
    breaks('limits.requestBody', 'a byte more', post(maxRequestBodyBytes + 1, 413)),
    keeps(
      'limits.response',
      `${maxResponseBytes} bytes`,
      answers(largest, { status: 200, body: largest.body }),
    ),
    breaks('limits.response', 'a byte more', isMalformed(answerOf(maxResponseBytes + 1), /1048576|1 MB/)),
    keeps('limits.location', 'a target group in the place of the platform', {
      function: async () =>
        assert.equal(await seen(httpEvent('GET', '/orders'), ({ path }) => path), '/orders'),
      async platform() {
        const [event] = (await ask(ok)).events
        assert.match(event!.requestContext.elb.targetGroupArn, /:local:000000000000:targetgroup\/web\//)
      },
    }),
  ]
}
