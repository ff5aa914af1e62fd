import { describe, expect, it } from '@jest/globals'
import middy from '@middy/core'
import { InvalidOptionError, UnroutedError } from '@signalbox/core'
import { preAuthenticationEvent, preSignUpEvent } from '../testing/index.ts'
import { deny } from './deny.ts'
import { passThrough } from './pass-through.ts'
import type { Routes } from './route.ts'
import { triggerRouter } from './trigger-router.ts'

const invocation = { signal: new AbortController().signal }
const context = { requestId: 'r1' }
const route = (routes: Routes, event: { readonly triggerSource: string }) =>
  triggerRouter(routes)(event as never, context, invocation)

describe('triggerRouter', () => {
  it('prefers the route of a trigger source to the route of its trigger, in any order of keys', () => {
    const exact = () => ({ autoVerifyEmail: true })
    const all = () => ({ autoConfirmUser: true })
    for (const routes of [
      { PreSignUp_SignUp: exact, PreSignUp: all },
      { PreSignUp: all, PreSignUp_SignUp: exact },
    ]) {
      expect(route(routes, preSignUpEvent())).toHaveProperty('response', { autoVerifyEmail: true })
      const created = preSignUpEvent({}, { triggerSource: 'PreSignUp_AdminCreateUser' })
      expect(route(routes, created)).toHaveProperty('response', { autoConfirmUser: true })
    }
  })

  it('passes the event, the context and the signal to the route', () => {
    const event = preAuthenticationEvent()
    let seen: unknown[] = []
    route(
      {
        PreAuthentication: (...args) => {
          seen = args
        },
      },
      event,
    )
    expect(seen[0]).toBe(event)
    expect(seen.slice(1)).toEqual([context, invocation])
  })

  it('throws an error that lists the routes when a source has no route', () => {
    expect(() =>
      route({ PreSignUp: () => ({}), TokenGeneration: () => ({}) }, preAuthenticationEvent()),
    ).toThrow(new UnroutedError('PreAuthentication_Authentication', ['PreSignUp', 'TokenGeneration']))
    expect(() =>
      route({ PreAuthentication: undefined as never, PreSignUp: () => ({}) }, preAuthenticationEvent()),
    ).toThrow(UnroutedError)
  })

  it('calls `otherwise` for sources without their own route', () => {
    const event = preAuthenticationEvent()
    expect(route({ otherwise: passThrough }, event)).toBe(event)
    expect(route({ otherwise: () => ({ autoConfirmUser: true }) }, preSignUpEvent())).toHaveProperty(
      'response',
      {
        autoConfirmUser: true,
      },
    )
  })

  it('returns synchronously when its route is synchronous', async () => {
    const event = preSignUpEvent()
    expect(route({ PreSignUp: () => ({}) }, event)).toBe(event)
    const later = route({ PreSignUp: async () => ({ autoConfirmUser: true }) }, event)
    expect(later).toBeInstanceOf(Promise)
    expect(await later).toBe(event)
    expect(event.response).toEqual({ autoConfirmUser: true })
  })

  it.each<[string, object]>([
    ['object', {}],
    ['function', () => {}],
  ])('awaits any %s with a method then, as promises of other libraries are', async (_kind, answer) => {
    const then = (done: (value: object) => void) => done({ autoConfirmUser: true })
    Object.defineProperty(answer, 'then', { value: then, enumerable: true })
    const event = preSignUpEvent()
    await route({ PreSignUp: () => answer as never }, event)
    expect(event.response).toEqual({ autoConfirmUser: true })
  })

  it('accepts a middy handler with middlewares as a route', async () => {
    const steps: string[] = []
    const handler = middy({ timeoutEarlyInMillis: 0 })
      .before(() => void steps.push('before'))
      .after(() => void steps.push('after'))
      .handler(async () => ({ autoConfirmUser: true }))
    const event = preSignUpEvent()
    await route({ PreSignUp_SignUp: handler }, event)
    expect(event.response).toEqual({ autoConfirmUser: true })
    expect(steps).toEqual(['before', 'after'])
  })

  it('throws exactly the value that a route throws', async () => {
    const boom = new Error('boom')
    const fail = (thrown: unknown) => () => {
      throw thrown
    }
    expect(() => route({ PreSignUp: fail(boom) }, preSignUpEvent())).toThrow(boom)
    expect(() => route({ PreSignUp: () => deny('Staff only') }, preSignUpEvent())).toThrow('Staff only')
    await expect(
      route({ PreSignUp: async () => fail(undefined)() }, preSignUpEvent()),
    ).rejects.toBeUndefined()
  })

  it.each([
    ['a misspelt trigger', { PreSignup: () => ({}) }, 'trigger source "PreSignup". Did you mean PreSignUp?'],
    ['a misspelt trigger source', { PreSignUp_Signup: () => ({}) }, 'Did you mean PreSignUp_SignUp?'],
    ['a misspelt `otherwise`', { otherwize: () => ({}) }, 'Did you mean otherwise?'],
    ['an unknown name', { a: () => ({}) }, 'There is no trigger or trigger source "a".'],
    [
      'an inherited name',
      { constructor: () => ({}) },
      'There is no trigger or trigger source "constructor".',
    ],
    [
      'a route that is not a function',
      { PreSignUp: { autoConfirmUser: true } },
      'The route PreSignUp is not a function.',
    ],
    ['an `otherwise` that is not a function', { otherwise: {} }, 'The route otherwise is not a function.'],
  ])('immediately refuses %s', (_, routes, message) => {
    expect(() => triggerRouter(routes as never)).toThrow(InvalidOptionError)
    expect(() => triggerRouter(routes as never)).toThrow(message)
  })

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a function', () => ({})],
    ['a list', [() => ({})]],
    ['a Map', new Map([['PreSignUp', () => ({})]])],
  ])('refuses %s as a route table', (_, routes) => {
    expect(() => triggerRouter(routes as never)).toThrow('A route table is an object of routes, such as')
  })

  it('refuses unknown options', () => {
    expect(() => triggerRouter({}, { decypt: () => '' } as never)).toThrow('Did you mean decrypt?')
  })
})
