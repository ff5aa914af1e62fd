import { describe, expect, it } from '@jest/globals'
import type { Failure } from '../invoker/invoker.ts'
import { loggedErrors, severityOf } from './severity.ts'

const threw = (message: string): Failure => ({ kind: 'threw', message })
const verdict = (kind: string, ok: boolean, text: string) => ({ kind, ok, text })

describe('severityOf()', () => {
  it.each([
    ['an answer', verdict('answered', true, '200 OK'), undefined, 'ok'],
    ['a redirect', verdict('answered', true, '302 Found'), undefined, 'ok'],
    ['a mistake of the client', verdict('answered', true, '404 Not Found'), undefined, 'warning'],
    ['an answer of 500', verdict('answered', true, '500 Internal Server Error'), undefined, 'error'],
    ['a status without a reason', verdict('answered', true, '599'), undefined, 'error'],
    ['a malformed response', verdict('malformed', false, '502 Bad Gateway: no status'), undefined, 'error'],
    [
      'a function that threw',
      verdict('malformed', false, '502 Bad Gateway'),
      threw('TypeError: no'),
      'error',
    ],
    ['a batch', verdict('success', true, 'success: none failed'), undefined, 'ok'],
    ['a batch that failed in part', verdict('partial', true, 'partial: m-1 failed'), undefined, 'warning'],
    ['a batch that failed', verdict('failure', false, 'failure: empty id'), undefined, 'error'],
    ['a decided mail', verdict('decided', true, 'ann@example.com: bounced'), undefined, 'ok'],
    ['a mail without a decision', verdict('failed', false, 'failed: no'), threw('Error: no'), 'error'],
    ['an accepted trigger', verdict('accepted', true, 'accepted with {}'), undefined, 'ok'],
    ['a denial by deny()', verdict('denied', true, 'denied: no'), threw('DeniedError: no'), 'neutral'],
    ['a denial by an error', verdict('denied', true, 'denied: no'), threw('Error: no'), 'warning'],
    ['a denial by a mistake', verdict('denied', true, 'denied: x'), threw('TypeError: x is not a…'), 'error'],
    [
      'a trigger that was late',
      verdict('denied', true, 'denied: late'),
      { kind: 'timeout', message: '' },
      'error',
    ],
    ['a trigger with an invalid answer', verdict('invalid', false, 'invalid:\n/x'), undefined, 'error'],
    ['an event without a verdict', undefined, undefined, 'neutral'],
    ['a failure without a verdict', undefined, { kind: 'crash', message: '' }, 'error'],
  ] as const)('%s', (_case, verdict, failure, expected) => {
    expect(severityOf({ verdict, failure })).toBe(expected)
  })

  it('warns of logged errors, and never makes an error a warning', () => {
    const logs = [{ stream: 'err', text: 'no' }] as const
    const of = (text: string) =>
      severityOf({ verdict: verdict('answered', true, text), failure: undefined, logs })
    expect(['200 OK', '404 Not Found', '500 No'].map(of)).toEqual(['warning', 'warning', 'error'])
  })
})

it.each([
  ['err', 'no', 1],
  ['out', 'no', 0],
  ['err', '(node:12) Warning: old', 0],
  ['out', '{"level":"ERROR","message":"no"}', 1],
  ['out', '{"level":50}', 1],
  ['err', '{"level":30}', 0],
  ['err', '{"level":"warn"}', 0],
  ['out', '{"severity":"CRITICAL"}', 1],
  ['err', '{"a":1}', 1],
  ['err', '{not JSON', 1],
] as const)('on %s, the line %s counts as %i logged errors', (stream, text, count) => {
  expect(loggedErrors({ failure: undefined, logs: [{ stream, text }] })).toBe(count)
  expect(loggedErrors({ failure: threw('Error: no'), logs: [{ stream, text }] })).toBe(0)
})
