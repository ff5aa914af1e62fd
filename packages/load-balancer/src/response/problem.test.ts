import { afterEach, describe, expect, it } from '@jest/globals'
import { createError } from '@middy/util'
import { HttpError } from './http-error.ts'
import { isForClient, problem, problemOf } from './problem.ts'

const parsed = (reply: ReturnType<typeof problem>) => JSON.parse(String(reply.body))

afterEach(() => {
  delete process.env.NODE_ENV
})

describe('problem()', () => {
  it('makes an application/problem+json reply with a title and the status', () => {
    expect(problem(404)).toEqual({
      statusCode: 404,
      headers: { 'content-type': 'application/problem+json' },
      body: '{"title":"Not Found","status":404}',
    })
    expect(parsed(problem(599))).toEqual({ title: 'Unknown', status: 599 })
  })

  it('accepts a detail as a string, or any members as an object', () => {
    expect(parsed(problem(409, 'sold out'))).toEqual({ title: 'Conflict', status: 409, detail: 'sold out' })
    const members = { type: 'https://shop.example/sold-out', title: 'Sold out', left: 0 }
    expect(parsed(problem(409, members))).toEqual({ ...members, status: 409 })
    expect(problem(409, {}, { 'retry-after': 1 }).headers).toMatchObject({ 'retry-after': 1 })
  })
})

describe('HttpError', () => {
  it.each([302, 200, 600, 404.5, 'not found'])('refuses the status %p', status => {
    expect(() => new HttpError(status as number, 'why')).toThrow(
      `HttpError: status is ${status}, expected an integer from 400 to 599`,
    )
  })
})

describe('problemOf', () => {
  const problems = [{ in: 'body', pointer: '/id', expected: 'string', actual: 'number 7' }] as const

  it('uses the status, message, headers and problems of an HttpError', () => {
    const reply = problemOf(new HttpError(400, 'not so', { problems, headers: { 'x-a': '1' } }))
    expect(reply).toMatchObject({ statusCode: 400, headers: { 'x-a': '1' } })
    expect(parsed(reply)).toEqual({ title: 'Bad Request', status: 400, detail: 'not so', problems })
  })

  it('uses the status and the message of an error from createError()', () => {
    expect(parsed(problemOf(createError(422, 'not so')))).toEqual({
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'not so',
    })
  })

  it('hides the message of a 5xx error unless the error exposes the message', () => {
    expect(parsed(problemOf(new HttpError(503, 'db-7 is down')))).toEqual({
      title: 'Service Unavailable',
      status: 503,
    })
    expect(parsed(problemOf(new HttpError(503, 'back at noon', { expose: true })))).toHaveProperty('detail')
    expect(parsed(problemOf(new HttpError(404, 'hidden', { expose: false })))).not.toHaveProperty('detail')
  })

  it.each([
    ['an error', new Error('secret')],
    ['a string', 'secret'],
    ['undefined', undefined],
    ['null', null],
    ['an object that does not expose its message', { statusCode: 404, message: 'secret' }],
    ['an object with the status 200', { statusCode: 200, expose: true, message: 'secret' }],
    ['an object with the status 600', { statusCode: 600, expose: true, message: 'secret' }],
    ['an object whose status is a string', { statusCode: '404', expose: true, message: 'secret' }],
    ['an error from an HTTP client', Object.assign(new Error('secret'), { status: 404, response: {} })],
  ])('turns %s into a 500 without details', (_, error) => {
    expect(isForClient(error)).toBe(false)
    expect(problemOf(error)).toMatchObject({
      statusCode: 500,
      body: '{"title":"Internal Server Error","status":500}',
    })
  })

  it('shows the details of 5xx errors in development', () => {
    process.env.NODE_ENV = 'development'
    expect(parsed(problemOf(new Error('why'))).detail).toContain('Error: why\n    at ')
    expect(parsed(problemOf('why')).detail).toBe('why')
    expect(parsed(problemOf(new HttpError(503, 'why'))).detail).toBe('why')
    const bare = new Error('bare')
    delete bare.stack
    expect(parsed(problemOf(bare)).detail).toBe('bare')
  })
})

describe('HttpError', () => {
  it('has a stable code and a cause', () => {
    const cause = new Error('cause')
    expect(new HttpError(404, 'm', { cause })).toMatchObject({
      name: 'HttpError',
      code: 'HTTP_ERROR',
      statusCode: 404,
      message: 'm',
      expose: true,
      cause,
    })
  })
})
