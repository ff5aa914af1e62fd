import { expect, it } from '@jest/globals'
import { withBreaks } from './break-opportunities.ts'

it.each([
  ['short', 'short'],
  ['an ordinary sentence of several short words', 'an ordinary sentence of several short words'],
  ['multiValueQueryStringParameters', 'multi<wbr>Value<wbr>Query<wbr>String<wbr>Parameters'],
  ['@signalbox/telemetry', '@signalbox/<wbr>telemetry'],
  ['packages/platform-runtime/src/traces', 'packages/<wbr>platform-<wbr>runtime/<wbr>src/<wbr>traces'],
  ['SIGNALBOX_LOAD_BALANCER_KEY_FILE', 'SIGNALBOX_<wbr>LOAD_<wbr>BALANCER_<wbr>KEY_<wbr>FILE'],
  ['&quot;customEmailSenderRequestV1&quot;', '&quot;custom<wbr>Email<wbr>Sender<wbr>RequestV1&quot;'],
])('%s', (html, expected) => expect(withBreaks(html)).toBe(expected))
