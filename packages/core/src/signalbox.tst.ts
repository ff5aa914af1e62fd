import { expect, test } from 'tstyche'
import type { Plugin, SignalboxHandler } from './index.ts'
import { signalbox } from './index.ts'

declare const numbers: Plugin<number>
declare const texts: Plugin<string>

test('the result is that of the plugin', () => {
  expect(signalbox(numbers)).type.toBe<SignalboxHandler<number>>()
})

test('several plugins answer with the union of their results', () => {
  expect(signalbox(numbers, texts)).type.toBe<SignalboxHandler<number | string>>()
})

test('options go last', () => {
  expect(signalbox(numbers, { timeoutEarlyInMillis: 5 })).type.toBe<SignalboxHandler<number>>()
})

test('no plugin at all does not compile', () => {
  expect(signalbox).type.not.toBeCallableWith()
})
