import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { fromSegment, toSegment } from './dot-segments.ts'

it('every name, even "." or "..", can be written as a URL path segment and read back unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('.', '~', 'a', '%'), maxLength: 5 }), name => {
      const { pathname } = new URL(`http://localhost/users/${encodeURIComponent(toSegment(name))}/end`)
      expect(fromSegment(decodeURIComponent(pathname.slice('/users/'.length, -'/end'.length)))).toBe(name)
    }),
  )
})
