import httpErrorHandler from '@middy/http-error-handler'
import httpEventNormalizer from '@middy/http-event-normalizer'
import httpHeaderNormalizer from '@middy/http-header-normalizer'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import inputOutputLogger from '@middy/input-output-logger'
import { expect, test } from 'tstyche'
import type { Plugin, SignalboxHandler } from '../index.ts'
import { signalbox } from '../index.ts'

declare const numbers: Plugin<number>
declare const texts: Plugin<string>

test('the handler’s result has the type of the plugin’s result', () => {
  expect(signalbox(numbers)).type.toBe<SignalboxHandler<number>>()
})

test('a handler with several plugins returns the union of their result types', () => {
  expect(signalbox(numbers, texts)).type.toBe<SignalboxHandler<number | string>>()
})

test('signalbox() takes options as its last argument', () => {
  expect(signalbox(numbers, { timeoutEarlyInMillis: 5 })).type.toBe<SignalboxHandler<number>>()
})

test('signalbox() without a plugin does not compile', () => {
  expect(signalbox).type.not.toBeCallableWith()
})

test('an argument that is not a plugin does not compile, and the error says what to write', () => {
  const routes = [{ method: 'GET', path: '/' }]
  // @ts-expect-error Hint<"write a plugin around it, as in signalbox(queue(…)); several plugins are arguments, not a list">
  signalbox(routes)
  // @ts-expect-error Hint<"write a plugin around it, as in signalbox(queue(…)); several plugins are arguments, not a list">
  signalbox([numbers])
})

test('use() accepts middy middlewares and keeps the result type', () => {
  const handler = signalbox(numbers, texts)
    .use(inputOutputLogger())
    .use(httpHeaderNormalizer())
    .use([httpEventNormalizer(), httpJsonBodyParser()])
    .use(httpErrorHandler())
  expect(handler).type.toBe<SignalboxHandler<number | string>>()
})

test('use() refuses an argument that is not a middleware', () => {
  expect(signalbox(numbers).use).type.not.toBeCallableWith('a text')
  expect(signalbox(numbers).use).type.not.toBeCallableWith({ before: 'a text' })
})
