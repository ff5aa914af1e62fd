import {
  bare,
  withEmf,
  withLog,
  withPowertoolsLogger,
  withPowertoolsMetrics,
  withPowertoolsTracer,
  withTelemetry,
} from '../contenders/telemetry.ts'
import { requestContender } from '../contenders/telemetry-request.ts'
import type { Work } from '../harness/work.ts'

// What is written is not read here, and a terminal or a pipe would take most of the time. The process that is measured has been forked.
if (process.send !== undefined) {
  process.stdout.write = () => true
  process.env.AWS_LAMBDA_FUNCTION_NAME = 'shop'
}

const without = 'without an SDK'

export const work: Work = {
  name: 'telemetry',
  title: 'A request with one route, and what is recorded of it',
  setups: [
    {
      name: without,
      contenders: [
        requestContender('no telemetry', 'limit', bare()),
        requestContender('telemetry()', 'ours', withTelemetry()),
        requestContender('Powertools Tracer, off', 'peer', withPowertoolsTracer()),
      ],
    },
    {
      name: 'metrics in EMF',
      contenders: [
        requestContender('no telemetry', 'limit', bare()),
        requestContender("telemetry({ export: 'emf' })", 'ours', withEmf()),
        requestContender('Powertools Metrics', 'peer', withPowertoolsMetrics()),
      ],
    },
    {
      name: 'one log line',
      contenders: [
        requestContender('no telemetry', 'limit', bare()),
        requestContender('telemetry() and log()', 'ours', withLog()),
        requestContender('Powertools Logger', 'peer', withPowertoolsLogger()),
      ],
    },
  ],
  ratios: [{ setup: without, of: 'telemetry()', to: 'no telemetry', atMost: 1.03 }],
}
