import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { reasonPhrase, statusDescription } from './status.ts'

describe('status codes', () => {
  it('are called as Node calls them, and no others are called anything', () => {
    for (let status = 0; status < 1000; status++) {
      const phrase = STATUS_CODES[status]
      expect([status, reasonPhrase(status)]).toEqual([status, phrase])
      expect(statusDescription(status)).toBe(phrase === undefined ? undefined : `${status} ${phrase}`)
    }
  })
})
