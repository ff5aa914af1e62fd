import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { get, loadBalancer } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'

const { warn } = console
const { now } = performance
const mode = process.env.NODE_ENV
const warnings: string[] = []
beforeEach(() => {
  warnings.length = 0
  console.warn = (text: string) => void warnings.push(text)
})
afterEach(() => {
  console.warn = warn
  performance.now = now
  process.env.NODE_ENV = mode
})

/** Returns a body of three parts, with so many milliseconds between them. */
const parts = (ms: number) =>
  new ReadableStream({
    async start(controller) {
      for (const part of ['one ', 'two ', 'three']) {
        controller.enqueue(new TextEncoder().encode(part))
        await new Promise(resolve => setTimeout(resolve, ms))
      }
      controller.close()
    },
  })

async function answers(make: () => Response, inMode: string) {
  process.env.NODE_ENV = inMode
  return exchange(signalbox(loadBalancer([get('/a', make)])), httpEvent('GET', '/a'))
}

it.each([
  ['its type', () => new Response(parts(0), { headers: { 'content-type': 'text/event-stream' } })],
  ['the time that it takes', () => new Response(parts(60), { headers: { 'content-type': 'text/x-slow' } })],
  [
    'its transfer encoding',
    () => new Response('one two three', { headers: { 'transfer-encoding': 'chunked' } }),
  ],
])('a stream, known by %s, is sent as a whole, which development says once', async (_how, make) => {
  expect(await answers(make, 'production')).toMatchObject({ status: 200, text: 'one two three' })
  expect(warnings).toEqual([])
  for (const _ of [1, 2])
    expect(await answers(make, 'development')).toMatchObject({ status: 200, text: 'one two three' })
  expect(warnings).toEqual([
    expect.stringMatching(/^A stream \(.+\) is sent when it has ended: .* redirect to storage/),
  ])
})

it.each([
  ['a text', () => new Response('one two three')],
  ['bytes in several pieces', () => new Response(parts(0), { headers: { 'content-type': 'text/x-pieces' } })],
])('no word is said about %s', async (_what, make) => {
  // On a busy machine, the pieces may take as long as a stream.
  performance.now = () => 0
  expect(await answers(make, 'development')).toMatchObject({ status: 200, text: 'one two three' })
  expect(await answers(() => new Response(null, { status: 204 }), 'development')).toMatchObject({
    status: 204,
  })
  expect(warnings).toEqual([])
})
