import { expect, it } from '@jest/globals'
import { withBreaks, withWholeOptions } from './break-opportunities.ts'

it.each([
  ['short', 'short'],
  ['an ordinary sentence of several short words', 'an ordinary sentence of several short words'],
  ['multiValueQueryStringParameters', 'multi<wbr>Value<wbr>Query<wbr>String<wbr>Parameters'],
  ['@signalbox/telemetry', '@signalbox/<wbr>telemetry'],
  ['packages/platform-runtime/src/traces', 'packages/<wbr>platform-<wbr>runtime/<wbr>src/<wbr>traces'],
  ['SIGNALBOX_LOAD_BALANCER_KEY_FILE', 'SIGNALBOX_<wbr>LOAD_<wbr>BALANCER_<wbr>KEY_<wbr>FILE'],
  ['&quot;customEmailSenderRequestV1&quot;', '&quot;custom<wbr>Email<wbr>Sender<wbr>RequestV1&quot;'],
])('%s', (html, expected) => expect(withBreaks(html)).toBe(expected))

it.each([
  ['sam deploy --guided', 'sam deploy <span class="option">--guided</span>'],
  ['-p --conditions=@a/b', '<span class="option">-p</span> <span class="option">--conditions</span>=@a/b'],
  ['--durable-<wbr>execution-<wbr>name', '<span class="option">--durable-</span><wbr>execution-<wbr>name'],
  ['npm run soak -- mail, run-time', 'npm run soak -- mail, run-time'],
])('keeps the options of %s whole', (html, expected) => expect(withWholeOptions(html)).toBe(expected))
