import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { AlwaysOffSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import { bare, withApi, withTelemetry } from '../contenders/telemetry.ts'
import { requestContender } from '../contenders/telemetry-request.ts'
import type { Work } from '../harness/work.ts'

context.setGlobalContextManager(new AsyncLocalStorageContextManager())
trace.setGlobalTracerProvider(new TracerProvider({ sampler: new AlwaysOffSampler() }))

const setup = 'an SDK with sampling off'

export const work: Work = {
  name: 'telemetry-sdk',
  title: 'A request with one route, and an SDK of OpenTelemetry that samples nothing',
  setups: [
    {
      name: setup,
      contenders: [
        requestContender('no telemetry', 'limit', bare()),
        requestContender('telemetry()', 'ours', withTelemetry()),
        requestContender('the API by hand', 'peer', withApi()),
      ],
    },
  ],
  ratios: [
    {
      setup,
      of: 'telemetry()',
      to: 'no telemetry',
      atMost: 1.2,
      otherwise:
        'A span of the SDK that nobody samples costs twice the time of this request, also by hand: the SDK makes its ids and asks its sampler, and a context stands around the handler. Without it, what the function sends to others would start traces of its own.',
    },
  ],
}
