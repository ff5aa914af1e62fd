import { expect, it } from '@jest/globals'
import { anyText } from '@signalbox/platform-runtime/testing/any-text'
import fc from 'fast-check'
import { mailDate, receivedLine } from './received-line.ts'

const hop = {
  helo: 'client.example',
  address: '192.0.2.1',
  name: 'box.example',
  protocol: 'ESMTP',
  id: 'abc',
  at: 0,
}

it('a trace line has the client, the server, the protocol, the id and the time (RFC 5321, 4.4)', () => {
  expect(receivedLine(hop)).toBe(
    'Received: from client.example ([192.0.2.1])\r\n\tby box.example with ESMTP id abc;\r\n\tThu, 01 Jan 1970 00:00:00 +0000\r\n',
  )
  expect(receivedLine({ ...hop, helo: '[IPv6:::1]', address: '::1' })).toContain(
    'from [IPv6:::1] ([IPv6:::1])',
  )
})

it('a hostile client name cannot break the trace line', () => {
  fc.assert(
    fc.property(anyText(60), helo => {
      expect(receivedLine({ ...hop, helo })).toMatch(
        /^Received: from [\w.:[\]?-]{1,255} \(\[192\.0\.2\.1\]\)\r\n\tby box\.example with ESMTP id abc;\r\n\t[^\r\n]+\r\n$/,
      )
    }),
  )
})

it('a long client name is truncated in a trace line', () => {
  expect(receivedLine({ ...hop, helo: 'x'.repeat(300) })).toContain(`from ${'x'.repeat(255)} (`)
})

it('the date of a trace line has a numeric time zone (RFC 5322, 3.3)', () => {
  expect(mailDate(Date.UTC(2026, 1, 3, 4, 5, 6))).toBe('Tue, 03 Feb 2026 04:05:06 +0000')
})
