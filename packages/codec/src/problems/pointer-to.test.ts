import { expect, it } from '@jest/globals'
import { pointerTo } from '../index.ts'

it('pointerTo joins keys to a JSON pointer and escapes what a pointer reserves', () => {
  expect(pointerTo()).toBe('')
  expect(pointerTo('lines', 0, 'sku')).toBe('/lines/0/sku')
  expect(pointerTo('a/b~c', '~1', '')).toBe('/a~1b~0c/~01/')
})
