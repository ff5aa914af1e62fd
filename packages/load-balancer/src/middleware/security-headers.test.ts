import { describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, group, loadBalancer, text } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { securityHeaders } from './security-headers.ts'

const routes = [
  get('/a', () => text('a', { headers: { 'X-Frame-Options': 'SAMEORIGIN' } })),
  get('/boom', () => Promise.reject(new Error('boom'))),
]
const log = () => undefined

describe.each(headerModes)('securityHeaders() with %s', (_headers, multiValue) => {
  it.each([
    ['an answer', '/a'],
    ['an error reply', '/boom'],
  ])('adds its headers to %s, both around the handler and around a group', async (_, path) => {
    const around = signalbox(loadBalancer(routes, { log })).use(securityHeaders())
    const inside = signalbox(loadBalancer([group('/', [securityHeaders()], routes)], { log }))
    for (const handler of [around, inside]) {
      const { header } = await exchange(handler, httpEvent('GET', path, { multiValue }))
      expect(header('x-content-type-options')).toEqual(['nosniff'])
      expect(header('strict-transport-security')).toEqual(['max-age=15552000; includeSubDomains'])
      expect(header('x-frame-options')).toEqual([path === '/a' ? 'SAMEORIGIN' : 'DENY'])
    }
  })

  it('takes header values from its options, and omits a header whose option is false', async () => {
    const unset = { 'x-content-type-options': undefined } as object
    const options = { 'referrer-policy': 'same-origin', 'x-frame-options': false, ...unset } as const
    const handler = signalbox(loadBalancer(routes, { log })).use(securityHeaders(options))
    const { header } = await exchange(handler, httpEvent('GET', '/boom', { multiValue }))
    expect(header('referrer-policy')).toEqual(['same-origin'])
    expect(header('x-frame-options')).toEqual([])
    expect(header('x-content-type-options')).toEqual(['nosniff'])
  })
})

it('securityHeaders() adds its headers to a reply that an onError hook makes', async () => {
  const handler = signalbox(loadBalancer(routes, { log }))
    .use(securityHeaders())
    .onError((request: { response: unknown }) => {
      request.response = text('sorry')
    })
  const result = await exchange(handler, httpEvent('GET', '/boom'))
  expect([result.text, result.header('x-frame-options')]).toEqual(['sorry', ['DENY']])
})

it('securityHeaders() refuses an unknown header', () => {
  expect(() => securityHeaders({ 'x-frame-option': 'DENY' } as never)).toThrow(
    'Did you mean x-frame-options?',
  )
})
