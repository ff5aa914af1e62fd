import { performance } from 'node:perf_hooks'
import type { Metric } from './metric.ts'

/** Returns facts about this process, by the names that other programs use, too. */
export function processMetrics(): readonly Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const { utilization } = performance.eventLoopUtilization()
  const gauge = (name: string, help: string, value: number): Metric => ({
    ...{ name, help, type: 'gauge' },
    samples: [{ value }],
  })
  return [
    {
      ...{ name: 'process_cpu_seconds_total', type: 'counter' },
      help: 'User and system CPU time of the process, without its functions, in seconds.',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Resident memory of the process in bytes.', rss),
    gauge(
      'process_start_time_seconds',
      'Start time of the process since the Unix epoch in seconds.',
      performance.timeOrigin / 1000,
    ),
    gauge('nodejs_heap_size_used_bytes', 'Used size of the JavaScript heap in bytes.', heapUsed),
    gauge(
      'nodejs_eventloop_utilization_ratio',
      'Share of the time since the start in which the event loop was busy, from 0 to 1.',
      utilization,
    ),
  ]
}
