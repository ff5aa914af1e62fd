import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from '@jest/globals'
import { reasonOf, reasonPhrase, statusDescription } from './status.ts'

describe('status codes', () => {
  it('have the same reason phrases as in Node', () => {
    for (let status = 0; status < 1000; status++) {
      const phrase = STATUS_CODES[status]
      expect([status, reasonPhrase(status)]).toEqual([status, phrase])
      expect(statusDescription(status)).toBe(phrase === undefined ? undefined : `${status} ${phrase}`)
    }
  })
})

describe('reasonOf', () => {
  it.each([
    ['200 OK', 200, 'OK'],
    ['OK', 200, 'OK'],
    ['200 Fine by me', 200, 'Fine by me'],
    ['Fine', 200, 'Fine'],
    [' 200  Fine ', 200, 'Fine'],
    ['200', 200, 'OK'],
    ['', 200, 'OK'],
    [' ', 404, 'Not Found'],
    ['200 OK', 404, 'Not Found'],
    ['404 Not Found', 200, 'OK'],
    ['404', 200, 'OK'],
    ['2000 things', 200, '2000 things'],
    ['200OK', 200, '200OK'],
    ['200 OK', 299, 'Unknown'],
  ])('maps the statusDescription %j with the status %i to "%s"', (description, status, reason) => {
    expect(reasonOf(status, description)).toBe(reason)
    expect(reasonOf(status, `${status} ${reason}`)).toBe(reason)
  })
})
