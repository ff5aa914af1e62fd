import type { Metric } from '../metrics/metric.ts'
import { metricsText, textFormat } from '../metrics/text-format.ts'
import { type Answer, plainText } from './answer.ts'
import { refusalOf } from './authentication.ts'
import type { ControlApi } from './control-api.ts'

/**
 * Serves `GET /metrics` in the text format of Prometheus. A client needs the right to read metrics, and functions have none.
 * @param collect reads all metrics. Clients that ask at the same time share one reading.
 */
export function metricsApi(
  collect: () => Promise<readonly Metric[]>,
  notice: (text: string) => void,
): ControlApi {
  let running: Promise<Answer> | undefined
  const read = async (): Promise<Answer> => {
    try {
      return { status: 200, body: metricsText(await collect()), headers: { 'content-type': textFormat } }
    } catch (error) {
      notice(`Metrics could not be read: ${error instanceof Error ? error.message : String(error)}`)
      return plainText(503, 'The metrics cannot be read at the moment.')
    } finally {
      running = undefined
    }
  }
  return {
    name: 'metrics',
    isListed: true,
    async answer({ request, ...authentication }) {
      const { method, url = '' } = request
      const refused = refusalOf(request, authentication, {
        ...{ collection: 'metrics', right: 'read', resource: 'metrics', isRoutine: true },
        isFor: () => false,
        refusal: "This key may not read metrics: its identity needs rights: { metrics: { read: ['*'] } }.",
      })
      if (refused !== undefined) return refused
      if (!/^\/metrics(?:\?|$)/.test(url)) return plainText(404, 'The only path here is GET /metrics.')
      if (method !== 'GET' && method !== 'HEAD')
        return { ...plainText(405, 'Metrics can only be read.'), headers: { allow: 'GET, HEAD' } }
      running ??= read()
      return running
    },
  }
}
